#include "trellis/generative/hmm/hmm_sampler.h"

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

HmmSampler::HmmSampler(const Hmm& model)
    : states_(model.num_states()),
      channels_(model.num_channels()),
      distributions_(model.distributions()) {
  for (Index i = 0; i < distributions_.num(); ++i) {
    double sum = 0;
    for (const double theta : model.row(i)) cumulative_.push_back(sum += portable_exp(theta));
  }
}

std::uint32_t HmmSampler::draw(Index distribution, Random& random) const {
  const auto begin =
      cumulative_.begin() + static_cast<std::ptrdiff_t>(distributions_.begin(distribution));
  const auto end =
      cumulative_.begin() + static_cast<std::ptrdiff_t>(distributions_.end(distribution));
  const double total = *(end - 1);
  if (!(total > 0)) {
    throw UsageError("cannot draw a value: every value of the distribution has probability 0");
  }
  // The first with a larger sum has a chance of its own; where rounding makes the product as large
  // as the total, it is the first that reaches it.
  auto found = std::upper_bound(begin, end, random.uniform() * total);
  if (found == end) found = std::lower_bound(begin, end, total);
  return static_cast<std::uint32_t>(found - begin);
}

HmmSequence HmmSampler::sample(Index length, Random& random) const {
  HmmSequence sequence;
  for (Index t = 0; t < length; ++t) {
    const Index before = t == 0 ? 0 : static_cast<Index>(sequence.states.back());
    const std::uint32_t state = draw(t == 0 ? 0 : 1 + before, random);
    sequence.states.push_back(static_cast<Label>(state));
    for (Index k = 0; k < channels_; ++k) {
      sequence.observations.push_back(draw(1 + states_ * (k + 1) + state, random));
    }
  }
  return sequence;
}

}  // namespace trellis
