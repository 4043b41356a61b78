// The leading eigenvectors of a symmetric positive semidefinite matrix that is known by its
// products: principal components of points, and classical scaling of distances.
//
// Subspace iteration with a few vectors more than are asked for (Halko, Martinsson & Tropp 2011),
// then the eigenvectors of the small matrix that the subspace sees (Rayleigh–Ritz, by Jacobi
// rotations). It is for pictures: eigenvalues that hardly differ leave axes that are not told
// apart, and rounds are limited. The start is drawn from a fixed seed.
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

// min(count, n) of them.
LeadingAxes leading_axes(Index n, Index count, int rounds, const Multiply& multiply);

}  // namespace trellis::topics
