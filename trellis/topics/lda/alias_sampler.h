// Draws topics of a cell's tokens by Metropolis–Hastings steps, with a cost nearly independent of
// the number of topics (Li, Ahmed, Ravi & Smola 2014; Yuan et al. 2015; Chen, Li, Zhu & Chen 2016).
//
// A cycle has two proposals, each of which is known exactly and drawn in O(1):
//
//   by the document   t ~ n_dt^¬i + α_t: the topic of another of its tokens, or a draw by α;
//   by the word       t ~ m_wt + β_w (whether or not the word has a β_tw of its own), where m_wt
//                     counts the tokens of w outside the cell, by an alias table;
//
// and each is accepted such that p(z_i | z_¬i, w) of cell_sampler.h is invariant. This needs the
// counts of two topics, by bisection if the word has a list; and each cell first builds the tables
// of its words, in the time of their lists. Other implementations build the table from counts that
// include the cell's own tokens, as they were: then the proposal for a token depends on its own
// past, and the invariant distribution is not exactly the posterior. Here the proposals do not
// change while the cell is sampled, and the steps are exact. Hence the sampler needs more than one
// block.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/alias_table.h"
#include "trellis/topics/lda/cell_sampler.h"

namespace trellis::topics {

// Belongs to one worker, as CellScratch does.
class AliasSampler {
 public:
  explicit AliasSampler(Index topics);

  // As CellScratch::begin.
  void begin(std::span<const double> alpha, std::span<const double> beta_sums,
             std::span<const std::uint32_t> round_totals);

  // `cycles` of proposals for each token of the cell. All tokens have a topic.
  void sample(const Cell& cell, Index cycles);

  std::span<const std::uint32_t> totals() const { return totals_; }

 private:
  struct Token;
  void propose_by_words(const Cell& cell);
  void leave_out_own(const Cell& cell);
  void open(const Cell& cell, Index d);
  void close(const Cell& cell, Index d);
  void sample_token(const Cell& cell, Index d, Index i, Index cycles, CellRandom& random);
  std::uint32_t by_document(const Cell& cell, Index d, Index i, CellRandom& random) const;
  std::uint32_t by_word(std::uint32_t word, float beta, CellRandom& random) const;
  float outside(std::uint32_t word, std::uint32_t topic) const;  // m_wt

  Index num_topics_;
  double alpha_sum_ = 0;
  std::vector<float> alpha_, beta_sums_;
  std::vector<AliasCell> alpha_cells_;
  std::vector<std::uint32_t> totals_, in_document_;
  std::vector<std::uint64_t> present_;
  AliasBuilder builder_;
  // For the words of the cell, by number minus the first: their topics outside the cell.
  Index first_word_ = 0;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> topics_;
  std::vector<float> counts_;
  std::vector<AliasCell> cells_;
  std::vector<float> mass_;  // Σ_t m_wt
};

}  // namespace trellis::topics
