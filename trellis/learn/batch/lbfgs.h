// Limited-memory BFGS (Liu & Nocedal 1989), and for ρ > 0 its orthant-wise variant OWL-QN
// (Andrew & Gao 2007), for smooth losses:
//
//   min_w  P(w) = λ/2 ‖w‖² + ρ ‖w‖₁ + (1/n) Σ_i L_i(w)
//
// Each iteration takes the direction −H g, where H is the inverse Hessian that the last m = 10
// pairs of steps and gradient differences imply, and searches along it for a point that satisfies
// the strong Wolfe conditions. Each trial is one pass over the data; the first, t = 1, is nearly
// always accepted. Without pairs the first trial goes to −g/‖g‖, for want of a scale.
//
// OWL-QN: g becomes the pseudo-gradient ◇P, the subgradient of least norm. The direction is
// confined to the orthant of −◇P, a trial point to that of w (of −◇P where w_j = 0): coordinates
// that would change their sign become 0, exactly. The search backtracks.
//
// It stops by the rules of CRFsuite (Okazaki 2007), whose objective is n times ours, so that the
// numbers mean the same:  n‖g‖ / max(1, ‖w‖) < epsilon,  or the objective fell by less than delta,
// relatively, over the last 10 iterations.
//
// An own implementation, since liblbfgs does not let go of its memory: a run could not be resumed
// to the same bits. Memory: 2m + 2 vectors besides w, one more for the certificate, and those of
// the parallel sum (base/parallel.h). Vector algebra is spread over the threads, too.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

struct LbfgsOptions {
  // λ ≥ 0, of the squared L2 norm.
  double lambda = 1e-4;
  // ρ ≥ 0, of the L1 norm; more than 0 makes it OWL-QN.
  double rho = 0;
  Index max_iterations = 1000;
  // The two tests for convergence, above; 0 switches one off.
  double epsilon = 1e-5;
  double delta = 1e-5;
};

// w: in, the start; out, the result. One epoch of the history is one iteration; the objective is a
// by-product, and with control.certify bound and gap are, too. Stalled when not even the steepest
// descent improves P, or where P is no finite number.
LearnSummary lbfgs(const SmoothConvexOracle& oracle, const LbfgsOptions& options,
                   std::span<double> w, const LearnControl& control = {});
// Losses that make no promise of convexity (hidden labels): finds a stationary point. There is no
// certificate: control.certify is a UsageError. The history of an UpperBoundOracle tells how its
// sums ended.
LearnSummary lbfgs(const UpperBoundOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control = {});
LearnSummary lbfgs(const SmoothOracle& oracle, const LbfgsOptions& options, std::span<double> w,
                   const LearnControl& control = {});

}  // namespace trellis
