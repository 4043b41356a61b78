// A hidden Markov model as a part model: log P(s, x) = θ·f(x, s), so that the losses of problem/
// train its log-probabilities. The structure is a chain of order 1 with tied transitions whose
// labels are the states; its initial transitions and transitions are scored by the first S + S²
// parameters (in the same order), its nodes by the emissions of the observations.
//
//   HingeProblem<HmmModel>    L_k(θ) = max_s ln P(s, x) + cost(s, s_k) − ln P(s_k, x)
//                             (Yu, Bertsekas & Rousu, eq. 3)
//   SlackProblem<HmmModel>    L_k(θ) = max_s cost(s, s_k) (1 + ln P(s, x) − ln P(s_k, x))
//   SmoothProblem<HmmModel>   −ln P(s_k | x): conditional likelihood
//
// θ must be finite here. PartModel describes the members.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/problem/cost_table.h"
#include "trellis/structure/sequences/chain.h"

namespace trellis {

class HmmModel {
 public:
  using Structure = Chain;
  struct Workspace {};

  // The sequences and the costs (a row for each state) must outlive the model. Throws UsageError
  // where a sequence is empty, has a state that is not known, or does not fit the alphabet.
  HmmModel(const HmmAlphabet& alphabet, std::span<const HmmSequence> sequences,
           const CostTable& costs);

  const Distributions& distributions() const { return distributions_; }
  const CostTable& costs() const { return *costs_; }

  Index num_examples() const { return sequences_.size(); }
  Index dimension() const { return distributions_.dimension(); }
  double example_weight(Index) const { return 1; }
  Chain structure(Index i) const { return Chain(chain_states_, sequences_[i].states.size()); }
  const std::vector<Label>& gold(Index i) const { return sequences_[i].states; }

  void scores(Index i, std::span<const double> theta, std::span<double> s) const;
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

 private:
  // Consecutive values of a channel that an example has, or nearly: a stretch of each state's row.
  struct ValueRun {
    Index begin = 0, size = 0;
  };
  struct ChannelView {
    std::vector<ValueRun> runs;
    Index width = 0;                   // Σ sizes
    std::vector<std::uint32_t> place;  // of each position's value in the runs, or kMissing
  };

  ChannelView view(const HmmSequence& sequence, Index channel) const;
  Index num_steps() const { return num_states_ + num_states_ * num_states_; }

  Index num_states_, num_channels_;
  Distributions distributions_;
  ChainStates chain_states_;
  std::span<const HmmSequence> sequences_;
  const CostTable* costs_;
  std::vector<ChannelView> views_;  // of each example, channel by channel
};

}  // namespace trellis
