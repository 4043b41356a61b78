// Label sequences y_0 … y_{T−1} with scores on labels and on (k+1)-grams of labels.
//
//   s·z(y) = Σ_t node[t][y_t] + transition[e_0] + … + transition[e_{T−1}] + final[u_{T−1}]
//
// where u_t is the state (ChainStates) after t, e_t the transition into it (e_0 is initial: the
// start score of y_0) and final the stop score. Transitions are tied (one table, so z counts) or
// position-dependent (one table for each t). Parts, in this order:
//
//   node        T × L                  part t·L + label
//   transition  E, or T × E untied     E = states.num_transitions()
//   final       S                      S = states.num_states()
//
// Hard constraints — TransitionRules, and an optional set of labels at each position — apply to all
// operations, in training and decoding. Lafferty, McCallum & Pereira (2001); Rabiner (1989).
//
// Time per position: O(transitions) for maximize, log_partition and sample; k_best adds O(k log k +
// kT) in all. Safe for part scores of ±1e9: sums run in a scaled domain while that is exact up to
// rounding, and in the log domain otherwise. Ties go to the lexicographically smallest sequence of
// states, read from the end.
//
// If no output is legal, maximize and sample leave y empty and marginals and projections are 0.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/sequences/chain_scratch.h"
#include "trellis/structure/sequences/chain_states.h"
#include "trellis/structure/structure.h"

namespace trellis {

enum class Transitions { kTied, kPositionDependent };

class Chain {
 public:
  using Output = std::vector<Label>;
  using Scratch = ChainScratch;

  // `states` and `allowed` must outlive the chain. `allowed` is empty (no restriction) or T × L
  // flags: allowed[t·L + label] != 0. Requires length ≥ 1.
  Chain(const ChainStates& states, Index length, Transitions transitions = Transitions::kTied,
        std::span<const std::uint8_t> allowed = {});

  const ChainStates& states() const { return *states_; }
  Index length() const { return length_; }
  Index num_parts() const { return final_part(0) + states_->num_states(); }
  Index node_part(Index t, Label label) const {
    return t * states_->num_labels() + static_cast<Index>(label);
  }
  Index transition_part(Index t, Index transition) const {
    return length_ * states_->num_labels() + t * table_stride() + transition;
  }
  Index final_part(ChainStates::State u) const {
    const Index tables = tied() ? 1 : length_;
    return length_ * states_->num_labels() + tables * states_->num_transitions() + u;
  }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  // With a level for each node part and ℓ(y) the sum of those of y: best[ℓ] ← the best output with
  // ℓ(y) = ℓ, for ℓ < num_levels; its score is kImpossible if there is no such output. Ties as
  // above. Time and memory: num_levels times those of maximize.
  void maximize_levels(std::span<const double> s, std::span<const std::uint32_t> levels,
                       Index num_levels, Scratch& scratch,
                       std::vector<ScoredOutput<Output>>& best) const;
  Index num_level_parts() const { return length_ * states_->num_labels(); }
  std::uint64_t highest_level(std::span<const std::uint32_t> levels) const;  // at least all ℓ(y)
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  LinearProgram linear_program() const;
  bool faces_by_zeros() const { return !tied(); }  // see Structure
  // Counts (tied transitions) use an active set of label sequences, with a call of maximize for
  // each; flows use Newton's method on the dual.
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;

 private:
  using State = ChainStates::State;
  class Passes;
  class KBestSearch;
  class FlowProgram;

  bool tied() const { return transitions_ == Transitions::kTied; }
  Index table_stride() const { return tied() ? 0 : states_->num_transitions(); }
  bool allows(Index t, Label label) const {
    return allowed_.empty() || allowed_[node_part(t, label)] != 0;
  }
  State end_begin() const { return states_->states_begin(length_ - 1); }
  State end_end() const { return states_->states_end(length_ - 1); }

  const ChainStates* states_;
  Index length_;
  Transitions transitions_;
  std::span<const std::uint8_t> allowed_;
};

}  // namespace trellis
