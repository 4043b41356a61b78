// What the saddle-point methods measure before their first step: the norm of F, and how far the
// losses at the start ask both players to go.
//
// The z_i by the distances of the best answers to w from their targets; w by the length of the step
// that would make the losses vanish if they were linear, Σ L_i/‖Σ ∇L_i‖, but no further than the
// ball and the penalty let it, ‖w‖ ≤ ‖Σ ∇L_i‖/λn. The ratio of the two is the first guess of σ =
// √(D_w/D_z): it scales as it should with the features, the costs and the number of examples.
#pragma once

#include <optional>
#include <span>

#include "trellis/learn/frame/learner.h"
#include "trellis/learn/frame/part_pass.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

struct SaddleStart {
  double norm;           // ‖F‖₂ or a little more, as spectral_norm knows it; 0: no features
  double weight_reach;   // how far w should go; 0 where no loss asks for it
  double part_distance;  // how far z should go
};

// One pass at w, and those of spectral_norm. `slope` is memory of the size of w. Nothing if `stop`
// was requested meanwhile.
std::optional<SaddleStart> measure_start(const PartOracle& oracle, const WeightBallOptions& options,
                                         std::span<const double> w, const LearnControl& control,
                                         PartPass& pass, std::span<double> slope);

// σ for players that go so far; 1 where one of them does not move.
double balance_of(double weight_reach, double part_distance);

}  // namespace trellis
