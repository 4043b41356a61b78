// The game of extragradient.h, played example by example: for a penalty λ > 0 and weights that are
// free or ≥ 0.
//
//   max_{z ∈ Z} D(z),   D(z) = min_{w ∈ W}  λ/2 ‖w‖² + (1/n) Σ_i (F_iᵀ w + c_i)·(z_i − z(y_i))
//
// The penalty makes the best answer of w to z a closed form, w(z) = [−(1/λn) Σ_i F_i (z_i −
// z(y_i))] (learn/dual/dual_point.h), and F_i z_i is sparse: so w can answer every move of a single
// z_i, at once and exactly, where the method of the paper lets it look ahead and step, once for a
// pass. A visit to example i looks ahead with a step of its own,
//
//   s = F_iᵀ w + c_i,     u = argmax_{z ∈ Z_i} ⟨s, z⟩ − d(z_i, z)/η_i,
//
// and measures what w's answer to u would make of it. With ρ = s·(u − z_i) and q = ‖F_i (u −
// z_i)‖²/λn the rise of D is (ρ − q/2)/n (of at least that, where weights are held ≥ 0), which is
// the highest at the share τ = ρ/q of the step. In the Euclidean geometry that share is taken, or
// the whole where τ ≥ 1; in the entropic one, which knows no points in between, the whole where τ ≥
// 0.6, and else the visit looks again, less far. η_i ← η_i · min{4, max{1/4, τ}} follows.
//
// After eight epochs an entropic visit first looks farther: at the u of θ_i that goes on by
// 0.9 of its last change, and by η s (heavy balls, Polyak 1964, on the θ_i of entropic_moves.h).
// What is sure to be wrong, or right, moves on like that; what is free has come to rest. It is
// taken on the same terms, τ ≥ 0.6, and where it is not, the next visit of the example does
// without.
//
// The proof. Where u is optimal, ρ ≥ (d(z_i, u) + d(u, z_i))/η_i; the Euclidean u need not be, and
// half of that is sure (euclidean_moves.h). Let q ≤ L_i (d(z_i, u) + d(u, z_i)): L_i ≤ ‖F_i‖²/λn in
// the Euclidean geometry, and R_i²/4λn in the entropic one, where R_i is the diameter of F_i Z_i
// (Pinsker's inequality). Then τ ≥ 1/(η_i L_i), or half of it: entropic steps up to 1/L_i are
// always taken, η_i does not shrink below 2/(5 L_i), and a step raises D by at least ρ/6n where it
// is taken whole, by ρτ/2n where a share of it is. Such ascent, block after block, goes to the
// saddle point, with a gap of O(1/t) where u is optimal (Collins et al. 2008, sec. 6, for the
// entropy; Nesterov 2012; Beck & Tetruashvili 2013). No constant of the problem is needed:
// directions in which F_i is short are found by τ, as in spectral projected gradients (Birgin,
// Martínez & Raydan 2000).
//
// What is returned is the mean of the weights over the visits since the last of the epochs 2, 3, 5,
// 8, 12, 18 …, each half as many again, the t-th with weight t: w jumps with each answer, and P of
// the mean is much lower. The certificate is the paper's, P(w̄) − D(z), with the last z or the mean
// of them. Most examples come to rest early: one whose last visit raised D by less than a hundredth
// of a mean one waits for the next epoch but one, then for the fourth and the eighth, and is never
// left out for longer.
//
// Steps: entropic_moves.h and euclidean_moves.h. Memory: the z_i, as these have them, and some
// weight vectors: w and its running mean, the mean, and up to four for the certificate; and where
// weights are held ≥ 0 one more of each of the first two. Visits are sequential by nature; threads
// share the passes of the certificate.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

struct ExampleGameOptions {
  double lambda = 1e-4;  // λ > 0
  Index max_epochs = 100;
  double step_scale = 1;  // of the first step of each example, relative to the estimate; > 0
  // With certify: the pass that evaluates P follows every `gap_every` epochs, the last one, and any
  // that raised D by less than a tenth of control.gap_tolerance, unless there was such a pass
  // within the last eighth of the epochs. Between them a record has a bound alone.
  Index gap_every = 1;
};

// w: in, the start: 0, or weights whose best outputs z begins with; out, w̄. Records as
// extragradient's, and the bound of every epoch. Converged when all examples have been visited
// since the last step. Throws UsageError for options that do not fit, and for kernels.
LearnSummary example_game(const EuclideanPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control = {});
LearnSummary example_game(const EntropicPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
