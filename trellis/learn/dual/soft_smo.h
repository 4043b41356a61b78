// The smooth losses of a flat classifier (maxent, softmax-margin) by ascent in the dual, an example
// at a time: Yu, Huang & Lin (2011), "Dual coordinate descent methods for logistic regression and
// maximum entropy models", with the step of smo.h instead of theirs.
//
//   min_w  λ/2 ‖w‖² + (1/n) Σ_i L_i(w),     L_i(w) = a_i/β log Σ_y exp β( s_y − s_{y_i} ),
//
// with the scores s_y = ⟨w_y, x_i⟩ + c_i(y) of oracle/label_oracle.h, and C_i = a_i/(λn). Dual
// variables α_i(y) ≥ 0 with Σ_y α_i(y) = C_i give w_y = Σ_i (C_i [y = y_i] − α_i(y)) x_i, and
//
//   D(α) = λ ( Σ_i [ Σ_y α_i(y) c_i(y) + C_i/β H(α_i/C_i) ] − ½ ‖w‖² )  ≤  min P,
//
// where H is the entropy. All labels share x_i, so with A = ‖x_i‖² the best α_i is known up to one
// number t:
//
//   u_y + log u_y = β (s_y + A α_i(y)) − t,     Σ_y u_y = βA C_i,     α_i(y) ← u_y/(βA).
//
// u is Wright's ω function of the right-hand side, convex and increasing, and Newton's method finds
// t from one side.
//
// Memory: w and α, n × L numbers, where L-BFGS has more than twenty vectors as long as w. It is the
// method for many labels and features; with few weights, L-BFGS needs less time.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/label_oracle.h"

namespace trellis {

struct SoftSmoOptions {
  double lambda = 1e-4;  // λ > 0
  double beta = 1;       // of the loss, finite
  Index max_epochs = 1000;
  // Converged when no visit of an epoch moved more than this share of an example's mass.
  double epsilon = 0.001;
};

// Starts from w = 0 whatever is in w: the dual of other weights is not known. Converged by
// control.gap_tolerance (which needs no certify here) where that is given, and else by epsilon;
// stalled where an epoch moved nothing. Only epochs with a check, a pass over all examples, report
// objective and gap: all with control.certify, and otherwise those within epsilon, the last, and
// those in which the gap is expected to be small enough, at most eight epochs apart (without a
// tolerance: all from the second on). Throws UsageError for options that do not fit.
LearnSummary soft_smo(const LabelOracle& oracle, const SoftSmoOptions& options, std::span<double> w,
                      const LearnControl& control = {});

// The u with u + log u = x; `exp_x` is e^x, and not used where x is large.
double wright_omega(double x, double exp_x);

}  // namespace trellis
