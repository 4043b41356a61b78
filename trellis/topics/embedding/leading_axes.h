// The leading eigenvectors of a symmetric positive semidefinite matrix given by its products with
// vectors: for principal components of points, and classical scaling of distances.
//
// Subspace iteration with a few extra vectors (Halko, Martinsson & Tropp 2011), then the
// eigenvectors of the matrix restricted to the subspace (Rayleigh–Ritz, by Jacobi rotations). It is
// for pictures: axes with nearly equal eigenvalues are not separated, and the number of rounds is
// limited. The start is drawn from a fixed seed.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

struct LeadingAxes {
  std::vector<double> values;                // not increasing, ≥ 0
  std::vector<std::vector<double>> vectors;  // orthonormal; the largest coordinate is positive
};

// out ← A v.
using Multiply = std::function<void(std::span<const double> v, std::span<double> out)>;

// Returns min(count, n) axes.
LeadingAxes leading_axes(Index n, Index count, int rounds, const Multiply& multiply);

}  // namespace trellis::topics
