// Hidden Markov models by brute force: every sequence of states.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/generative/hmm/hmm.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::testing {

inline HmmAlphabet small_alphabet(Index states, const std::vector<Index>& values) {
  HmmAlphabet alphabet;
  for (Index i = 0; i < states; ++i) alphabet.states.push_back("s" + std::to_string(i));
  for (Index k = 0; k < values.size(); ++k) {
    HmmChannel channel{"c" + std::to_string(k), {}};
    for (Index o = 0; o < values[k]; ++o) channel.values.push_back("v" + std::to_string(o));
    alphabet.channels.push_back(channel);
  }
  return alphabet;
}

// Random distributions; each value is 0 with probability `zeros` (but never all of a row), and the
// logarithms are spread by `sharpness`.
inline Hmm random_hmm(const HmmAlphabet& alphabet, Random& random, double zeros = 0,
                      double sharpness = 1) {
  const Distributions distributions = Hmm::layout(alphabet);
  std::vector<double> theta(distributions.dimension());
  for (Index i = 0; i < distributions.num(); ++i) {
    const std::span<double> row =
        std::span(theta).subspan(distributions.begin(i), distributions.size(i));
    for (double& value : row) {
      value = random.uniform() < zeros ? -kInfinity : sharpness * random.normal();
    }
    if (log_sum_exp(row) == -kInfinity) row[0] = 0;
    const double total = log_sum_exp(row);
    for (double& value : row) value -= total;
  }
  return Hmm(alphabet, theta);
}

inline HmmSequence random_observations(const HmmAlphabet& alphabet, Index length, Random& random,
                                       double missing = 0) {
  HmmSequence x;
  for (Index t = 0; t < length; ++t) {
    for (const HmmChannel& channel : alphabet.channels) {
      x.observations.push_back(random.uniform() < missing ? Hmm::kMissing
                                                          : static_cast<std::uint32_t>(random.below(
                                                                channel.values.size())));
    }
  }
  return x;
}

// All sequences of states that agree with those that x knows, and their log P(s, x).
struct Enumeration {
  std::vector<std::vector<Label>> paths;
  std::vector<double> scores;
  double log_likelihood = -kInfinity;
  double best = -kInfinity;

  Enumeration(const Hmm& model, const HmmSequence& x) {
    const Index length = x.observations.size() / model.num_channels();
    HmmSequence full = x;
    full.states.assign(length, 0);
    extend(model, x, full, 0);
    log_likelihood = log_sum_exp(scores);
    best = *std::max_element(scores.begin(), scores.end());
  }

  // P(what holds | x)
  template <class Holds>
  double probability(const Holds& holds) const {
    double sum = 0;
    for (Index n = 0; n < paths.size(); ++n) {
      if (holds(paths[n])) sum += std::exp(scores[n] - log_likelihood);
    }
    return sum;
  }

 private:
  void extend(const Hmm& model, const HmmSequence& x, HmmSequence& full, Index t) {
    if (t == full.states.size()) {
      paths.push_back(full.states);
      scores.push_back(model.log_probability(full));
      return;
    }
    for (Label s = 0; s < static_cast<Label>(model.num_states()); ++s) {
      if (!x.states.empty() && x.states[t] != kNoLabel && x.states[t] != s) continue;
      full.states[t] = s;
      extend(model, x, full, t + 1);
    }
  }
};

}  // namespace trellis::testing
