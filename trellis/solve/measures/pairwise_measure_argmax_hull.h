// The upper hull of points over a rectangle of counts, at one place: the Lagrangian dual of
// pairwise_measure_argmax.h with the known sets instead of all sets.
//
//   max  Σ_j λ_j s_j    such that  Σ_j λ_j (h_j, f_j) = (h, f),  Σ_j λ_j = 1,  λ ≥ 0
//
// has a basis of three points, whose plane lies above all others: its slopes are the multipliers of
// the next cut. Primal simplex; the ratio test uses integers. The first basis is a triangle of
// points far below and around the rectangle. One of these points stays in the basis if (h, f) lies
// on an edge of the rectangle, and makes the slope across that edge steep, as it should be there.
// there.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/measures/pairwise_measure_argmax_cuts.h"

namespace trellis {

// The counts that the sets of a subproblem have: first … first + free.
struct CountRectangle {
  Index first_hits = 0, free_hits = 0;
  Index first_others = 0, free_others = 0;
};

struct HullFacet {
  static constexpr Index kNone = static_cast<Index>(-1);

  double value = 0;                  // at (h, f)
  double slope_hits = 0;             // of the plane
  double slope_others = 0;           //
  std::array<Index, 3> corner = {};  // points by number, or kNone: one of those far below
  std::array<double, 3> share = {};  // λ
};

// `depth` is how far below the first triangle lies, and `tolerance` what counts as above a plane.
// The points must cover (hits, others): the corners of the rectangle must be among them.
HullFacet upper_hull_at(std::span<const CountedSet> points, const CountRectangle& rectangle,
                        Index hits, Index others, double depth, double tolerance);

}  // namespace trellis
