// Projects points to fewer dimensions with nearly the same distances: coordinates along random
// directions of signs (Johnson & Lindenstrauss 1984; Achlioptas 2003). With m directions a squared
// distance keeps its mean, with a relative error of about √(2/m).
//
// Memory: one number for each pair of a dimension and a direction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

class SignProjection {
 public:
  SignProjection(Index dimensions, Index directions, std::uint64_t seed);

  Index num_directions() const { return directions_; }
  void project(std::span<const float> point, std::span<float> out) const;

 private:
  Index directions_;
  std::vector<float> signs_;  // ±1/√m; rows of directions
};

}  // namespace trellis::topics
