// Points of many dimensions in fewer, at nearly the distances that they had: coordinates along
// random directions of signs (Johnson & Lindenstrauss 1984; Achlioptas 2003). With m directions a
// squared distance is kept in the mean, and to about √(2/m) of it.
//
// Memory: a number for each of the dimensions and directions.
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
