// Collapsed variational Bayes of order zero (Asuncion, Welling, Smyth & Teh 2009, eq. 8): the
// sampler's deterministic twin. Each token has a distribution over topics instead of a draw,
//
//   γ_ik ∝ (N_wk^¬i + β_w) (N_dk^¬i + α_k) / (N_k^¬i + Σβ),
//
// where N are sums of γ. Tokens of one document with one word share theirs. A sweep visits cells as
// the sampler does (lda_layout.h), with the totals N_k as of the round's beginning plus the cell's
// own changes; these are added up in the order of the blocks, so that bits do not depend on the
// threads.
//
// Time O(K) for each pair of a document and a word that it has; memory 4 K bytes for each, and
// 8 K for each word and document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_layout.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {

struct Cvb0Options {
  Index topics = 100;
  double alpha = 0.1;
  double beta = 0.01;
  std::uint64_t seed = 1;  // of where it begins
  Index blocks = 0;        // as LdaOptions has it
};

// The whole state that sweeps change. The sums are part of it, because recomputed sums would differ
// in their last bits.
struct Cvb0State {
  std::vector<float> gamma;  // by pair of a document and a word, K each
  std::vector<double> document_counts, word_counts, totals;
};

class Cvb0 {
 public:
  // Begins with γ at random. Throws UsageError where options are out of range.
  Cvb0(const Documents& documents, const Cvb0Options& options);

  // Visits each pair; returns the mean over tokens of Σ_k |change of γ_ik|.
  double sweep(int threads);

  Index num_topics() const { return options_.topics; }
  Index num_documents() const { return layout_.num_documents(); }
  std::span<const double> document_counts(Index d) const {  // N_dk
    return std::span(state_.document_counts).subspan(d * num_topics(), num_topics());
  }
  std::span<const double> word_counts(Index word) const {  // N_wk, by word of the vocabulary
    return std::span(state_.word_counts)
        .subspan(Index{layout_.numbers()[word]} * num_topics(), num_topics());
  }
  std::span<const double> totals() const { return state_.totals; }  // N_k

  LdaModel model() const;

  // Another object with the same documents and options continues from the state to the same bits.
  // Throws UsageError if the sizes differ.
  const Cvb0State& state() const { return state_; }
  void restore(Cvb0State state);

 private:
  struct Pair {
    std::uint32_t word, times;  // the word's number in the layout
  };
  struct CellChange {
    std::vector<double> totals;
    double moved = 0;
  };
  void pair_tokens();
  void start();
  void visit_cell(Index document_block, Index word_block, CellChange& change);
  double visit(Index d, Index pair, std::span<double> totals, std::span<double> weights);

  Cvb0Options options_;
  LdaLayout layout_;
  double beta_sum_;
  std::vector<Pair> pairs_;
  std::vector<std::uint64_t> cell_begin_;  // of pairs, by document and word block; and one more
  Cvb0State state_;
};

}  // namespace trellis::topics
