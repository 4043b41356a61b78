// Limited-memory BFGS (Liu & Nocedal 1989), and for ρ > 0 its orthant-wise variant OWL-QN
// (Andrew & Gao 2007), for smooth losses:
//
//   min_w  P(w) = λ/2 ‖w‖² + ρ ‖w‖₁ + (1/n) Σ_i L_i(w)
//
// Each iteration takes the direction −H g, where H is the inverse Hessian approximated from the
// last m = 10 pairs of steps and gradient differences, and searches along it for a point that
// satisfies the strong Wolfe conditions. Each trial is one pass over the data; the first, t = 1, is
// nearly always accepted. Without pairs there is no scale, so the first trial is the step −g/‖g‖.
//
// OWL-QN: g becomes the pseudo-gradient ◇P, the subgradient of least norm. The direction is
// restricted to the orthant of −◇P, a trial point to that of w (of −◇P where w_j = 0): coordinates
// that would change their sign become exactly 0. The line search is by backtracking.
//
// It stops by the rules of CRFsuite (Okazaki 2007), whose objective is n times ours; the scaling
// makes the numbers mean the same:  n‖g‖ / max(1, ‖w‖) < epsilon,  or the objective decreased by
// less than delta, relatively, over the last 10 iterations.
//
// We do not use liblbfgs because it does not give access to its memory, so that a run could not
// resume to the same bits. Memory: 2m + 2 vectors in addition to w, one more for the certificate,
// and those of the parallel sum (base/parallel.h). Vector operations are parallel, too.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct LbfgsOptions {
  // λ ≥ 0, the factor of the squared L2 norm.
  double lambda = 1e-4;
  // ρ ≥ 0, the factor of the L1 norm; ρ > 0 selects OWL-QN.
  double rho = 0;
  Index max_iterations = 1000;
  // The two tests for convergence above; 0 disables a test.
  double epsilon = 1e-5;
  double delta = 1e-5;
};

// w: the start; on return, the result. One epoch of the history is one iteration, with the
// objective, and with bound and gap if control.certify is set. Stalled if not even steepest descent
// improves P, or if P is not finite.
LearnSummary lbfgs(const SmoothConvexOracle& oracle, const LbfgsOptions& options,
                   std::span<double> w, const LearnControl& control = {});
// For losses that need not be convex (hidden labels): finds a stationary point. There is no
// certificate: control.certify is a UsageError. For an UpperBoundOracle, the history records the
// convergence of its sums.
LearnSummary lbfgs(const UpperBoundOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control = {});
LearnSummary lbfgs(const SmoothOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control = {});

}  // namespace trellis
