// Draws of sequences from a hidden Markov model. A distribution whose mass is below 1 is taken as
// if it were scaled up to it: there is no name for what the missing mass stands for.
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

  // Throws UsageError where it comes to a distribution without any mass.
  HmmSequence sample(Index length, Random& random) const;

 private:
  std::uint32_t draw(Index distribution, Random& random) const;

  Index states_, channels_;
  Distributions distributions_;
  std::vector<double> cumulative_;  // laid out as θ: the sums of e^θ up to here
};

}  // namespace trellis
