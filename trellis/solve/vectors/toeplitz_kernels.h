// Products with Toeplitz matrices, whose entry (k, i) depends on i − k alone: how far something
// jumps, wherever it starts.
//
//   toeplitz_product   out[i] = Σ_{k<n} u[k] · c[i − k],    i < width
//   add_toeplitz       sums[i − k] += u[k] · v[i],          k < n, i < width
//
// c and sums point at the entry of i − k = 0; they reach from −(n − 1) to width − 1. Each out[i],
// and each sum, adds up its terms in the order of k, so bits do not depend on the width of
// registers. O(n · width).
#pragma once

#include <span>

#include "trellis/base/types.h"

namespace trellis {

void toeplitz_product(std::span<const double> u, const double* c, std::span<double> out);
void add_toeplitz(std::span<const double> u, std::span<const double> v, double* sums);

}  // namespace trellis
