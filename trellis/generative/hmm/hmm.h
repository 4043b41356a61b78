// Hidden Markov models with discrete observations, several at each position (Rabiner 1989):
//
//   log P(s, x) = initial[s_0] + Σ_{t>0} transition[s_{t−1}][s_t] + Σ_t Σ_k emission_k[s_t][x_tk],
//
// for states s_t of S and observations x_tk of channel k, which are independent given the state.
// The parameters are log-probabilities θ, laid out by Distributions in this order: the initial
// distribution, the S rows of the transitions, and for each channel the S rows of its emissions. −∞
// is probability 0. A distribution may have a mass Σ e^θ below 1 after margin training (Yu,
// Bertsekas & Rousu, sec. 2.1): the rest is the probability of unknown values; nothing here
// renormalises it.
//
// A missing observation (Hmm::kMissing) has the factor 1. A channel may have an *unknown* value,
// its last, for every value that training has not seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"

namespace trellis {

struct HmmChannel {
  std::string name;
  std::vector<std::string> values;
  bool has_unknown = false;  // the last value stands for what is none of the others

  bool operator==(const HmmChannel&) const = default;
};

// What a model speaks of.
struct HmmAlphabet {
  std::vector<std::string> states;
  std::vector<HmmChannel> channels;

  bool operator==(const HmmAlphabet&) const = default;
};

// x_tk at t·K + k, and the states: none, or one for each position (kNoLabel: not known).
struct HmmSequence {
  std::vector<std::uint32_t> observations;
  std::vector<Label> states;
};

class Hmm {
 public:
  static constexpr std::uint32_t kMissing = ~std::uint32_t{0};
  static constexpr double kMassTolerance = 1e-9;
  // Of states and of values: tables of more are surely not meant.
  static constexpr Index kMaxStates = Index{1} << 14;

  // Throws UsageError unless there is a state and a channel with a value in each, names are
  // distinct, θ has a value ≤ 0 for each parameter and no mass is above 1 + kMassTolerance.
  Hmm(HmmAlphabet alphabet, std::vector<double> theta);
  static Hmm uniform(HmmAlphabet alphabet);
  // Where the parameters of a model over this alphabet lie. Throws UsageError as the constructor.
  static Distributions layout(const HmmAlphabet& alphabet);

  const HmmAlphabet& alphabet() const { return alphabet_; }
  const Distributions& distributions() const { return distributions_; }
  std::span<const double> theta() const { return theta_; }
  Index num_states() const { return alphabet_.states.size(); }
  Index num_channels() const { return alphabet_.channels.size(); }
  Index num_values(Index k) const { return alphabet_.channels[k].values.size(); }

  // The numbers of the distributions.
  Index transition_row(Index state) const { return 1 + state; }
  Index emission_row(Index k, Index state) const { return 1 + num_states() * (k + 1) + state; }

  std::span<const double> row(Index distribution) const {
    return std::span(theta_).subspan(distributions_.begin(distribution),
                                     distributions_.size(distribution));
  }
  std::span<const double> initial() const { return row(0); }
  std::span<const double> transitions(Index state) const { return row(transition_row(state)); }
  std::span<const double> emissions(Index k, Index state) const {
    return row(emission_row(k, state));
  }
  std::vector<double> probabilities(Index distribution) const;  // e^θ
  // 1 − Σ e^θ of a distribution, or 0 where that is rounding.
  double missing_mass(Index distribution) const;

  // log P(s, x). Requires states, all known, and values of the alphabet or kMissing.
  double log_probability(const HmmSequence& sequence) const;

 private:
  HmmAlphabet alphabet_;
  Distributions distributions_;
  std::vector<double> theta_;
};

}  // namespace trellis
