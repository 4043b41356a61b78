// Shape contexts (Belongie, Malik & Puzicha 2002, "Shape matching and object recognition using
// shape contexts"): the position of the rest of a shape relative to one of its points. ψ_i is a
// log-polar histogram of the surroundings of point i, with shares that add up to 1:
//
//   rings     by the distance, in units of the mean distance between two points of the
//             surroundings: the first ring ends at `inner`; each ends q = (outer/inner)^(1/(rings −
//             1)) times as far out as the one before; the last begins at outer/q and is open
//             (points beyond `outer` count there)
//   sectors   by the angle, from the left, clockwise in a picture with y downwards; contexts turn
//             with the shape, so they are not invariant to rotations
//
// An edge between point i of one shape and point j of another has the features (Petterson
// 2011, 5.15)
//
//   x_ij[k] = |ψ_i[k] − ψ_j[k]|²      or without the square.
//
// There is no bias: it would add a constant to every matching that covers the smaller side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/shapes/point_set.h"

namespace trellis::match {

enum class Difference { kSquared, kAbsolute };
constexpr auto names_of(Difference) {
  return Names{"difference", "squared", "absolute"};
}

struct ContextOptions {
  Index rings = 5;
  Index sectors = 12;
  double inner = 0.125;
  double outer = 2;
  Difference difference = Difference::kSquared;
  Index points = 20;    // to sample on the outline of a silhouette without points
  Index outline = 100;  // points of the outline, for contexts

  static constexpr Index kMostBins = 4096;
  static constexpr Index kMostPoints = 4096;

  Index num_bins() const { return rings * sectors; }
  // "ring 2 of 5, sector 7 of 12", both from 1.
  std::string bin_name(Index bin) const;
  // Throws UsageError for values without a valid histogram.
  void validate() const;
};

// One row of num_bins() for each of the points, from its surroundings; the point itself does not
// count.
std::vector<float> shape_contexts(const PointSet& shape, const ContextOptions& options);

// x_ij for all pairs: row i·n_right + j.
std::vector<float> context_differences(std::span<const float> left, std::span<const float> right,
                                       const ContextOptions& options);

}  // namespace trellis::match
