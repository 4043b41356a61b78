// The inner loops of sums over derivations (derivation_sums.h), on vector instructions, with the
// same bits on every machine (solve/vectors/vector_kernels.h).
//
// The sum over the derivations of node v is stored as mass · exp(shift):
//
//   x_e   = s[e] + (shift(left) + shift(right)),     shift(v) = max_e x_e + s[v],
//   w_e   = exp(x_e − max x) · mass(left) · mass(right),     mass(v) = Σ_e w_e ≥ 1,
//
// so that each edge takes only one exponential, and a logarithm is necessary only if a mass exceeds
// kLargestMass, which then moves into the shift. Until then the shift is the best score. The loss
// by underflow of exp(x_e − max x) is below e^−708 · kLargestMass² of the node's sum.
//
// w_e / Σ w are the probabilities of the edges of v, given v.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/solve/forests/packed_forest.h"

namespace trellis {

struct InsideSum {
  double shift, mass;  // −∞ and 0 where there is no derivation
};
inline constexpr double kLargestMass = 0x1p100;

// Exponentials are done for some thousand edges at once, of nodes that do not use each other.
inline constexpr Index kEdgesAtOnce = 1024;

struct InsideTables {
  InsideSum* sums;      // N + 1 by slots; that of slot 0 is {0, 1} already
  double* totals;       // Σ w of each node
  double* weights;      // w of each edge, or null: not wanted
  double* exponents;    // kEdgesAtOnce and the most edges that a node has
  double* tail_masses;  // as many
};
void sum_inside(const PackedForest& forest, const double* scores, const InsideTables& tables);

// −Σ q log q of q = w / Σ w for weights that are not all 0, without a negative term. Overwrites
// them.
double entropy_of_weights(std::span<double> weights);

}  // namespace trellis
