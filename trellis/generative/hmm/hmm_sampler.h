// Draws sequences from a hidden Markov model. A distribution with a mass below 1 is normalised,
// because the missing mass belongs to no known value.
#pragma once

#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/generative/hmm/hmm.h"

namespace trellis {

// O(log n) for each draw of n values.
class HmmSampler {
 public:
  // Keeps no reference to the model.
  explicit HmmSampler(const Hmm& model);

  // Throws UsageError at a distribution with mass 0.
  HmmSequence sample(Index length, Random& random) const;

 private:
  std::uint32_t draw(Index distribution, Random& random) const;

  Index states_, channels_;
  Distributions distributions_;
  std::vector<double> cumulative_;  // in the layout of θ: the sums of e^θ up to here
};

}  // namespace trellis
