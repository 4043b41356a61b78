#include "trellis/generative/hmm/hmm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_set>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

void check_names(std::span<const std::string> names, std::string_view what) {
  if (names.empty()) throw UsageError(fmt::format("a hidden Markov model needs {}s", what));
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      throw UsageError(fmt::format("{} \"{}\" is named twice", what, name));
    }
  }
}

double mass_of(std::span<const double> theta) {
  double mass = 0;
  for (const double value : theta) mass += portable_exp(value);
  return mass;
}

// "the transitions of state b", for messages.
std::string distribution_name(const HmmAlphabet& alphabet, Index i) {
  const Index states = alphabet.states.size();
  if (i == 0) return "the initial distribution";
  const std::string& state = alphabet.states[(i - 1) % states];
  if (i <= states) return fmt::format("the transitions of state \"{}\"", state);
  const HmmChannel& channel = alphabet.channels[(i - 1) / states - 1];
  return fmt::format("the emissions of channel \"{}\" in state \"{}\"", channel.name, state);
}

}  // namespace

Distributions Hmm::layout(const HmmAlphabet& alphabet) {
  check_names(alphabet.states, "state");
  if (alphabet.states.size() > kMaxStates) {
    throw UsageError(fmt::format("{} states are more than a hidden Markov model can have ({})",
                                 alphabet.states.size(), kMaxStates));
  }
  if (alphabet.channels.empty()) throw UsageError("a hidden Markov model needs a channel");
  const Index states = alphabet.states.size();
  Distributions distributions;
  distributions.add(states);
  for (Index i = 0; i < states; ++i) distributions.add(states);
  for (const HmmChannel& channel : alphabet.channels) {
    check_names(channel.values, "value");
    for (Index i = 0; i < states; ++i) distributions.add(channel.values.size());
  }
  return distributions;
}

Hmm::Hmm(HmmAlphabet alphabet, std::vector<double> theta)
    : alphabet_(std::move(alphabet)), distributions_(layout(alphabet_)), theta_(std::move(theta)) {
  if (theta_.size() != distributions_.dimension()) {
    throw UsageError(fmt::format("expected {} log-probabilities, found {}",
                                 distributions_.dimension(), theta_.size()));
  }
  for (Index i = 0; i < distributions_.num(); ++i) {
    for (const double value : row(i)) {
      if (!(value <= kMassTolerance)) {
        throw UsageError(fmt::format("{} is not a log-probability, in {}", value,
                                     distribution_name(alphabet_, i)));
      }
    }
    const double mass = mass_of(row(i));
    if (mass > 1 + kMassTolerance) {
      throw UsageError(
          fmt::format("probabilities sum to {} > 1 in {}", mass, distribution_name(alphabet_, i)));
    }
  }
}

Hmm Hmm::uniform(HmmAlphabet alphabet) {
  const Distributions distributions = layout(alphabet);
  std::vector<double> theta(distributions.dimension());
  for (Index i = 0; i < distributions.num(); ++i) {
    std::fill(theta.begin() + static_cast<std::ptrdiff_t>(distributions.begin(i)),
              theta.begin() + static_cast<std::ptrdiff_t>(distributions.end(i)),
              -portable_log(static_cast<double>(distributions.size(i))));
  }
  return Hmm(std::move(alphabet), std::move(theta));
}

std::vector<double> Hmm::probabilities(Index distribution) const {
  std::vector<double> p(distributions_.size(distribution));
  exp_shifted(row(distribution), 0, p);
  return p;
}

double Hmm::missing_mass(Index distribution) const {
  const double missing = 1 - mass_of(row(distribution));
  return missing > kMassTolerance ? missing : 0;
}

double Hmm::log_probability(const HmmSequence& sequence) const {
  const Index channels = num_channels();
  assert(sequence.observations.size() == sequence.states.size() * channels);
  double sum = 0;
  for (Index t = 0; t < sequence.states.size(); ++t) {
    const auto state = static_cast<Index>(sequence.states[t]);
    sum +=
        t == 0 ? initial()[state] : transitions(static_cast<Index>(sequence.states[t - 1]))[state];
    for (Index k = 0; k < channels; ++k) {
      const std::uint32_t value = sequence.observations[t * channels + k];
      if (value != kMissing) sum += emissions(k, state)[value];
    }
  }
  return sum;
}

}  // namespace trellis
