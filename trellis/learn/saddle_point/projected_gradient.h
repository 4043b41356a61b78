// Projected gradient in both players at once, averaged: (2.16) of Lacoste-Julien 2009, the method
// that the dual extragradient is measured against.
//
//   w ← π_W( (w − η_w Σ_i F_i (z_i − z(y_i))) / (1 + η_w λn) )
//   z_i ← π_{Z_i}( z_i + η_z (F_iᵀ w + c_i) )                      with the w before its step
//
// Each player answers what the other one did last. For a bilinear game that need not converge,
// whatever the steps are (it spirals outward, up to the borders of W and Z); the means (w̄, z̄) of
// the iterates are certified, and w̄ is returned. They go to the neighbourhood of the saddle point
// that the step allows. (The penalty, where there is one, is not linearised: its step is in closed
// form.)
//
// η_w = ησ and η_z = η/σ, with η = step_scale/‖F‖₂ and σ as the extragradient's first one.
// Memory: the z_i of all examples, twice, and five weight vectors, two more for the certificate of
// a penalty without a ball.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

// λ, ball and radius: see weight_ball.h.
struct ProjectedGradientOptions : WeightBallOptions {
  Index max_iterations = 100;
  double step_scale = 1;  // > 0
  double balance = 0;     // σ; 0: choose it
  Index gap_every = 1;    // with certify: iterations per evaluation of the gap (one more pass)
};

// An epoch is an iteration: one pass. w: in, the start (projected onto W); out, w̄. Records as
// extragradient's. Throws UsageError for options that do not fit.
LearnSummary projected_gradient(const EuclideanPartOracle& oracle,
                                const ProjectedGradientOptions& options, std::span<double> w,
                                const LearnControl& control = {});

}  // namespace trellis
