// The game of extragradient.h, example by example: for a penalty λ > 0 and weights that are free or
// ≥ 0.
//
//   max_{z ∈ Z} D(z),   D(z) = min_{w ∈ W}  λ/2 ‖w‖² + (1/n) Σ_i (F_iᵀ w + c_i)·(z_i − z(y_i))
//
// With the penalty, the best w for z has a closed form, w(z) = [−(1/λn) Σ_i F_i (z_i − z(y_i))]
// (learn/dual/dual_point.h), and F_i z_i is sparse: so w can follow every move of a single z_i
// exactly and at once, while the paper's method moves it only twice per pass, in the look-ahead and
// in the step. A visit to example i looks ahead with a step size of its own,
//
//   s = F_iᵀ w + c_i,     u = argmax_{z ∈ Z_i} ⟨s, z⟩ − d(z_i, z)/η_i,
//
// and then computes the best w for u. With ρ = s·(u − z_i) and q = ‖F_i (u − z_i)‖²/λn, D increases
// by (ρ − q/2)/n (at least by that if weights must stay ≥ 0), and most at the share τ = ρ/q of the
// step. The Euclidean geometry takes that share, or the whole step if τ ≥ 1. The entropic one has
// no points in between: it takes the whole step if τ ≥ 0.6; otherwise the visit looks again, less
// far. After that, η_i ← η_i · min{4, max{1/4, τ}}.
//
// After eight epochs an entropic visit first looks farther: at the u for θ_i plus 0.9 of its last
// change plus η s (heavy ball, Polyak 1964, on the θ_i of entropic_moves.h). Parts that are
// certainly wrong, or right, keep moving in this way; the others no longer move. The step is taken
// on the same condition, τ ≥ 0.6; if it is refused, the next visit of the example omits it.
//
// The proof. If u is optimal, ρ ≥ (d(z_i, u) + d(u, z_i))/η_i; a Euclidean u need not be optimal,
// but half of that is guaranteed (euclidean_moves.h). Let q ≤ L_i (d(z_i, u) + d(u, z_i)): L_i ≤
// ‖F_i‖²/λn in the Euclidean geometry, and R_i²/4λn in the entropic one, where R_i is the diameter
// of F_i Z_i (Pinsker's inequality). Then τ ≥ 1/(η_i L_i), or half of it: entropic steps up to
// 1/L_i are always taken, η_i does not fall below 2/(5 L_i), and a step increases D by at least
// ρ/6n if it is taken whole, by ρτ/2n if a share is taken. Such block-wise ascent converges to the
// saddle point, with a gap of O(1/t) if u is optimal (Collins et al. 2008, sec. 6, for the entropy;
// Nesterov 2012; Beck & Tetruashvili 2013). No constant of the problem is needed: τ detects
// directions in which F_i is short, as in spectral projected gradients (Birgin, Martínez & Raydan
// 2000).
//
// It returns the mean of the weights over the visits since the last of the epochs 2, 3, 5, 8, 12,
// 18 … (each 3/2 of the one before), the t-th with weight t: w changes much at each visit, and P at
// the mean is much lower. The certificate is the paper's, P(w̄) − D(z), with the last z or the mean
// of the z. Most examples converge early: if the last visit of an example increased D by less than
// a hundredth of the mean increase, the example waits until the next epoch but one, then until the
// fourth and the eighth after, and never longer.
//
// Steps: entropic_moves.h and euclidean_moves.h. Memory: the z_i, as stored there, and some weight
// vectors: w and its running mean, the mean, and up to four for the certificate; if weights must
// stay ≥ 0, one more of each of the first two. Visits are sequential by nature; threads share the
// passes of the certificate.
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
  // that increased D by less than a tenth of control.gap_tolerance, unless there was such a pass
  // within the last eighth of the epochs. Other records have only a bound.
  Index gap_every = 1;
};

// w: the start: 0, or weights whose best outputs are the initial z; on return, w̄. Records as in
// extragradient.h, with the bound of every epoch. Converged when all examples have been visited
// since the last step. Throws UsageError for incompatible options, and for kernels.
LearnSummary example_game(const EuclideanPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control = {});
LearnSummary example_game(const EntropicPartOracle& oracle, const ExampleGameOptions& options,
                          std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
