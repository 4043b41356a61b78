// DiscLDA with known labels by Rao-Blackwellised Gibbs sampling of (u, z), with θ and Φ integrated
// out (Lacoste-Julien 2009, appendix 4.A.2):
//
//   p(u_i = k, z_i = l | rest) ∝ (β + m_wk) / (V β + m_k) · T^y_kl (α + n_dl)              (4.25)
//
// where m and n count the other tokens. The pair is drawn jointly without looking at its K·L
// values: c_k = Σ_l T^y_kl (α + n_dl) is kept along with n, u is drawn from (β + m_wk) / (V β +
// m_k) · c_k, and z from T^y_kl (α + n_dl) for that k. So a token costs O(K + L) where T is dense
// (instead of the O(K L) that the thesis regrets), and where it is fixed by blocks, as many as the
// class has topics: then this is LDA in which a document may have the topics of its class and the
// shared ones.
//
// Sweeps run by cells (lda/lda_layout.h), whose random numbers are functions of (seed, sweep,
// cell): same bits for any number of threads. The state is assignments() and num_sweeps(). Memory:
// 6 bytes a token, 4 K for each word and 4 L for each document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/topics/disclda/known_topics.h"
#include "trellis/topics/disclda/transformation.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_layout.h"

namespace trellis::topics {

struct DiscLdaChainOptions {
  double alpha = 0.1;  // of each component
  double beta = 0.01;  // of each word
  std::uint64_t seed = 1;
  Index blocks = 0;  // of documents and of words; 0: as the corpus allows
};

class DiscLdaChain {
 public:
  // What a token has: u, and z.
  struct Assignment {
    std::uint16_t topic, component;
    bool operator==(const Assignment&) const = default;
  };

  // labels[d] < transformation.num_classes(). The documents are copied, in an order of their own.
  // No token has a topic yet. Throws UsageError where options or labels are out of range.
  DiscLdaChain(const Documents& documents, std::span<const std::uint32_t> labels,
               Transformation transformation, const DiscLdaChainOptions& options);

  // Gives every token a pair that those before it make likely, in sweep 0's random numbers.
  void start(int threads);
  // Draws every token.
  void sweep(int threads);

  Index num_sweeps() const { return sweeps_; }  // the start is none
  const Transformation& transformation() const { return transformation_; }
  const DiscLdaChainOptions& options() const { return options_; }

  // Φ given u (4.6).
  KnownTopics topics() const;
  // log p(w, u, z | y, T). −∞ before start().
  double log_joint() const;

  // By token, as the documents (those of the constructor) have them.
  std::vector<Assignment> assignments(const Documents& documents) const;
  // Continues from there: the state after `sweeps` sweeps. Throws UsageError where an assignment is
  // none that its document's class can have.
  void restore(const Documents& documents, std::span<const Assignment> assignments, Index sweeps);

 private:
  struct Scratch;  // of a thread
  void run_rounds(std::uint64_t step, int threads);
  void visit_cell(Index document_block, Index word_block, Random random, Scratch& scratch);
  void enter_document(Index d, Scratch& scratch) const;
  void leave_document(Index d, const Scratch& scratch);
  void remove(Index position, Index word, Index y, Scratch& scratch);
  void draw_pair(Index position, Index word, Index y, Random& random, Scratch& scratch);
  void clear();
  // Where m_wk stands: runs of topics that the same classes have, one after another, each with a
  // row for every word of the layout. Documents of a class touch nothing of the others' own topics.
  Index cell_of(Index word, Index topic) const {
    return layout_.num_words() * run_begin_[topic] + word * run_length_[topic] + topic -
           run_begin_[topic];
  }

  DiscLdaChainOptions options_;
  LdaLayout layout_;
  std::vector<std::uint32_t> labels_;
  Transformation transformation_;
  std::vector<std::uint32_t> order_;     // of documents: those of a block by label, for the cache
  std::vector<Assignment> assignments_;  // by position in the layout
  std::vector<std::uint32_t> counts_;    // m_wk, as cell_of has it
  std::vector<Index> run_begin_, run_length_;   // by topic: the first of its run, and how many
  std::vector<std::uint32_t> document_counts_;  // n_dl: documents × components
  std::vector<std::uint32_t> totals_;           // m_k
  double beta_sum_;
  Index sweeps_ = 0;
};

}  // namespace trellis::topics
