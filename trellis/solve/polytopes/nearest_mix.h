// The nearest point of a polytope, if the polytope is known only by its best vertex in a direction:
// Wolfe (1976), "Finding the nearest point in a polytope".
//
// The result is a convex combination of vertices by construction, so it lies in the polytope in
// spite of rounding. Its purpose: to replace a point that an interior-point method left slightly
// outside by one from which bounds can be proved.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// Writes a vertex z that maximizes ⟨direction, z⟩.
using BestVertex = std::function<void(std::span<const double> direction, std::span<double> z)>;

struct NearestMix {
  std::vector<double> point;
  double distance = 0;  // to what was asked for
  Index num_vertices = 0;
  bool limited = false;  // a limit ended it: a nearer point may exist
};

// Finite in exact arithmetic; here it ends when no vertex comes nearer at the precision of a
// double, or at a limit: 2000 vertices, or max_work multiplications in linear systems. Memory: the
// vertices of the combination, at most one more than there are dimensions.
NearestMix nearest_mix(std::span<const double> target, const BestVertex& best_vertex,
                       double max_work = kInfinity);

}  // namespace trellis
