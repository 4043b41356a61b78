// The nearest point of a scaled simplex:
//
//   argmin ‖z − v‖₂  over  {z ≥ 0, Σ z = r}    or    {z ≥ 0, Σ z ≤ r}
//
// It is z = max(0, v − τ), with the one τ at which the sum is r (and τ = 0 where Σ max(0, v) ≤ r
// already and the sum may stay below). τ ≥ max v − r, so only values within r of the largest can
// stay positive; among them τ is found by halving at the median (Duchi, Shalev-Shwartz, Singer &
// Chandra 2008, Fig. 2), in O(n) time. All differences are taken from the largest value, so that
// Σ z = r to a few units in the last place of r, whatever the size of v.
#pragma once

#include <span>
#include <vector>

namespace trellis {

// Requires r ≥ 0, finite v, and a v that is not empty unless r = 0. z may be v itself. `memory` is
// the caller's, reused from call to call.
void project_simplex(std::span<const double> v, double r, std::span<double> z,
                     std::vector<double>& memory);

// Σ z ≤ r.
void project_simplex_hull(std::span<const double> v, double r, std::span<double> z,
                          std::vector<double>& memory);

}  // namespace trellis
