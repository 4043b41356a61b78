#include "trellis/generative/hmm/estimation.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

void check_fits(const HmmAlphabet& alphabet, const HmmSequence& sequence, Index number) {
  const Index channels = alphabet.channels.size();
  if (sequence.observations.size() != sequence.states.size() * channels) {
    throw UsageError(fmt::format("sequence {} has {} states and {} observations in {} channels",
                                 number + 1, sequence.states.size(), sequence.observations.size(),
                                 channels));
  }
  for (const Label state : sequence.states) {
    if (state != kNoLabel && static_cast<Index>(state) >= alphabet.states.size()) {
      throw UsageError(fmt::format("sequence {} has a state {}", number + 1, state));
    }
  }
  for (Index i = 0; i < sequence.observations.size(); ++i) {
    const std::uint32_t value = sequence.observations[i];
    if (value != Hmm::kMissing && value >= alphabet.channels[i % channels].values.size()) {
      throw UsageError(fmt::format("sequence {} has an observation {}", number + 1, value));
    }
  }
}

}  // namespace

std::vector<double> count_parameters(const HmmAlphabet& alphabet,
                                     std::span<const HmmSequence> sequences) {
  const Distributions distributions = Hmm::layout(alphabet);
  const Index states = alphabet.states.size(), channels = alphabet.channels.size();
  std::vector<double> counts(distributions.dimension(), 0.0);
  for (Index n = 0; n < sequences.size(); ++n) {
    const HmmSequence& sequence = sequences[n];
    check_fits(alphabet, sequence, n);
    Label before = kNoLabel;
    for (Index t = 0; t < sequence.states.size(); ++t) {
      const Label label = sequence.states[t];
      if (label != kNoLabel) {
        const auto state = static_cast<Index>(label);
        if (t == 0) counts[state] += 1;
        if (before != kNoLabel) {
          counts[distributions.begin(1 + static_cast<Index>(before)) + state] += 1;
        }
        for (Index k = 0; k < channels; ++k) {
          const std::uint32_t value = sequence.observations[t * channels + k];
          if (value == Hmm::kMissing) continue;
          counts[distributions.begin(1 + states * (k + 1) + state) + value] += 1;
        }
      }
      before = label;
    }
  }
  return counts;
}

std::vector<double> log_frequencies(const Distributions& distributions,
                                    std::span<const double> counts, double alpha,
                                    std::span<const double> unseen, double negligible) {
  assert(counts.size() == distributions.dimension());
  if (!(alpha >= 0) || std::isinf(alpha)) {
    throw UsageError(fmt::format("smoothing must be a number ≥ 0, not {}", alpha));
  }
  std::vector<double> theta;
  theta.reserve(counts.size());
  for (Index i = 0; i < distributions.num(); ++i) {
    const std::span<const double> row =
        counts.subspan(distributions.begin(i), distributions.size(i));
    double total = 0;
    for (const double count : row) total += count + alpha;
    const double least = negligible * total;
    double kept = 0;
    for (const double count : row) kept += count + alpha >= least ? count + alpha : 0;
    const double log_total = portable_log(kept);
    for (Index j = 0; j < row.size(); ++j) {
      const double count = row[j] + alpha;
      if (kept > 0) {
        theta.push_back(count > 0 && count >= least ? portable_log(count) - log_total : -kInfinity);
      } else {
        theta.push_back(unseen.empty() ? -portable_log(static_cast<double>(row.size()))
                                       : unseen[distributions.begin(i) + j]);
      }
    }
  }
  return theta;
}

Hmm estimate_hmm(HmmAlphabet alphabet, std::span<const HmmSequence> sequences, double alpha) {
  const std::vector<double> counts = count_parameters(alphabet, sequences);
  std::vector<double> theta = log_frequencies(Hmm::layout(alphabet), counts, alpha);
  return Hmm(std::move(alphabet), std::move(theta));
}

}  // namespace trellis
