// The margin problem as one convex program: eq. (2.15) of Lacoste-Julien 2009, solved by an
// interior-point method (solve/polytopes/convex_program.h). For tests, small data and the
// regularisation path; the other learners are for problems that exceed its memory.
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i [ max_{z ∈ Z_i} (F_iᵀw + c_i)ᵀ z − (F_iᵀw + c_i)ᵀ z(y_i) ]
//   s.t.   ‖w‖₂ ≤ radius,  w_j ≥ 0 if the oracle requires it.
//
// With Z_i = {z : l ≤ A z ≤ u, 0 ≤ z ≤ h} (its linear program; z includes auxiliary variables,
// whose scores are 0) each inner maximum is, by duality of linear programs,
//
//   min_{y⁺, y⁻, μ ≥ 0}  uᵀy⁺ − lᵀy⁻ + hᵀμ     s.t.   Aᵀ(y⁺ − y⁻) + μ ≥ F_iᵀw + c_i,
//
// so that all minima combine into one program over (w, y, μ). A row with l = u has one free y; an
// infinite side has none; a variable with h = 0 has no constraint. The multipliers of the
// constraints are the z_i at the saddle point.
//
// Certificate: the z_i, moved into their polytopes (solve/polytopes/nearest_mix.h), give the affine
// minorant b + ⟨a, w⟩ of the risk with a = (1/n) Σ F_i (z_i − z(y_i)) and b = (1/n) Σ c_iᵀ(z_i −
// z(y_i)). The minimum of that plus the penalty over the feasible w, in closed form, is the bound,
// or the trivial 0 if that is higher. So neither the objective nor the bound relies on the solver's
// claims.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/part_oracle.h"
#include "trellis/solve/polytopes/factor_size.h"

namespace trellis {

// λ/2 ‖w‖², and ‖w‖₂ ≤ radius. One of them must bound w: λ > 0 or a finite radius.
struct WeightPenalty {
  double lambda = 0;
  double radius = std::numeric_limits<double>::infinity();
};

struct ReferenceQpOptions {
  // A program is refused in advance if its constraints or the factor of its linear systems
  // (solve/polytopes/factor_size.h) have more non-zeros than this.
  Index max_nonzeros = 2'000'000;
  Index max_factor_nonzeros = 40'000'000;
  double tolerance = 1e-10;
  Index max_iterations = 500;
  // Multiplications, estimated from the size of the factor and of the systems of the certificate:
  // one budget of this size for the solver, and another for the certificate.
  double max_work = 1e12;
};

struct ReferenceQpSize {
  Index variables = 0;
  Index constraints = 0;
  Index nonzeros = 0;  // of the constraints
  FactorSize factor;   // of the symmetric system of each iteration
};

// w: the start of the interior-point method; on return, the optimum. The history has one record,
// whose `updates` counts iterations; the observer gets an unfinished record after each iteration.
// kConverged to the solver's tolerance, kStalled if it made no further progress, kLimit at
// max_iterations or max_work: objective, bound and gap are those of w in each case. Throws
// UsageError for a penalty that does not bound w, for kernels, and for a program that is too large.
LearnSummary reference_qp(const PartOracle& oracle, const WeightPenalty& penalty,
                          std::span<double> w, const ReferenceQpOptions& options = {},
                          const LearnControl& control = {}, ReferenceQpSize* size = nullptr);

struct PathPoint {
  WeightPenalty penalty;
  std::vector<double> w;
  LearnSummary summary;
};

// The optimum for each penalty, one after another; the program is built once. Ends early if stop is
// requested.
std::vector<PathPoint> regularisation_path(const PartOracle& oracle,
                                           std::span<const WeightPenalty> penalties,
                                           const ReferenceQpOptions& options = {},
                                           const LearnControl& control = {});

}  // namespace trellis
