// The dual extragradient method for max-margin learning: Taskar, Lacoste-Julien & Jordan (2006),
// "Structured Prediction, Dual Extragradient and Bregman Projections"; Lacoste-Julien 2009 ch. 2,
// figs. 2.2, 2.4 and 2.6; the method is Nesterov's (2003).
//
//   min_{w ∈ W} max_{z ∈ Z}  λn/2 ‖w‖² + Σ_i (F_iᵀ w + c_i)·(z_i − z(y_i))
//
// Two players move: w against the part scores, each z_i within the polytope Z_i of its example. An
// iteration looks ahead from v and then steps by the operator at u,
//
//   v = T(û, s)     u = T(v, −a·A(v))     s ← s − a·A(u)     A ← A + a     w̄ ← w̄ + (a/A)(u_w − w̄)
//
// where A(u) = (Σ_i F_i (z_i − z(y_i)), −F_iᵀ w − c_i) is the operator of the game, û its centre (w
// at the start, z_i = z(y_i) or an inner point), and T a step: to the nearest point
// (EuclideanPartOracle), or, with the entropy of the distribution over outputs, a multiplication by
// exp(s·z) (EntropicPartOracle: the natural parameters θ_i are linear in s_i and the scores, so v_z
// and u_z are the marginals of exp(θ_i·z); the structure needs only sums).
//
// The proof, which also gives the steps. Let d be the divergence of the geometry, and
//
//   S_t(u) = Σ_{k<t} a_k [⟨A(u_k), u⟩ + ψ(w)] + d(ŵ, w)/σ + σ d(ẑ, z),    ψ(w) = λn/2 ‖w‖².
//
// v_t is the minimum of S_t (so the penalty is never linearised: w-steps have a closed form), and
// by convexity the means satisfy, for every u of W × Z and for any steps a_k,
//
//   A · [L(w̄, z) − L(w, z̄)]  ≤  d(ŵ, w)/σ + σ d(ẑ, z) − Q_t,
//   Q_t = min S_t − Σ_{k<t} a_k [⟨A(u_k), u_k⟩ + ψ(u_k)].
//
// So the gap decreases as 1/A while Q_t ≥ 0, and that holds if no step decreases Q. S_t is convex
// of modulus b = 1/σ + Aλn in w and of σ in z, hence Q_{t+1} − Q_t ≥ the minimum over u of b d(v,
// u_t) + b d(u_t, u) + σ (the same in z) + a⟨A(u_t) − A(v), u − u_t⟩, which is not negative for a ≤
// √(bσ)/L, where L is the norm of F between the two geometries. For λ = 0 this is the paper's step
// 1/L and its bound (2.19), gap ≤ (D_w/σ + σ D_z) L/t. For λ > 0 the modulus b increases with A,
// and so may the steps: A ~ t², and the gap decreases as 1/t².
//
// L = ‖F‖₂ by the power method (spectral_norm.h); for the 1-norm ball R‖F‖₂, and the entropy has
// its own constant (KL ≥ ½‖ΔP‖₁² ≥ 2‖Δz‖²/diam² Z_i), unknown here. These are worst cases. But Q_t
// costs nothing: v_t gives the minimum of S_t. So with `adaptive` the step increases by 7 % while Q
// does not decrease, and shrinks by a third when it did (not below the proven step, if there is
// one). The step increases only while all decreases of Q together are at most σ d(ẑ, v_z), which is
// bounded because Z is; after that, and a few more reductions, Q cannot decrease: so Q is bounded
// below, and the rates above hold with a constant added.
//
// σ is the relative distance that the players move; any σ is valid, and the best is √(D_w/D_z). By
// default it is estimated from the losses at the start (extragradient_start.h). If d(ŵ, v_w)/d(ẑ,
// v_z) shows after 32, 128 or 512 iterations that it is much too small or too large, and as many
// iterations remain, the method restarts with the better σ, around the current w̄ (with kL1, around
// the same centre); the rates are then those since the last restart.
//
// Memory (fig. 2.6): s_z = A (F_iᵀ w̄ + c_i) is recomputed when needed, so there are five weight
// vectors (w̄, s_w, u_w and the sums at v and u), one more for a centre other than 0 or the ball in
// the 1-norm, two more for a penalty without a ball (the certificate's). Threads add partial sums,
// and the parts and slopes of a few examples each: with a penalty, `./dev bench memory` measures
// 7.15 weight vectors with one thread and 7.76 with two. kStored stores s_z, z̄ and the last u_z
// instead (fig. 2.2), with the same iterates up to rounding; for s_z it must read all scores once
// more in each iteration.
//
// With a penalty on the weights, example_game.h converges to the same saddle point example by
// example, with memory for all z_i.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

enum class ExtragradientForm {
  kMemoryEfficient,  // fig. 2.6
  kStored,           // figs. 2.2 and 2.4
};

// λ, ball and radius: see weight_ball.h. With kL1 the geometry of W is the simplex's, and w must be
// 0 at the start. The paper's own method is adaptive = accelerate = false, balance = 1.
struct ExtragradientOptions : WeightBallOptions {
  Index max_iterations = 100;
  ExtragradientForm form = ExtragradientForm::kMemoryEfficient;
  double step_scale = 1;   // of the first step, relative to the proven one; > 0
  bool adaptive = true;    // Q controls the step
  bool accelerate = true;  // let the steps grow with the modulus of the penalty
  double balance = 0;      // σ; 0: choose it
  Index gap_every = 1;     // with certify: iterations per evaluation of the gap (one more pass)
};

// An epoch is an iteration: one pass; the passes before the first, for σ and ‖F‖₂, are in no
// record. w: the centre ŵ (projected on W); on return, w̄. Records have P(w̄), the bound and the
// gap in the library's scale (extragradient_gap.h), every gap_every iterations and in the last one,
// if LearnControl::certify is set. Without λ and ball the bound is the trivial 0, unless all slopes
// reduce weights that must stay ≥ 0. Throws UsageError for incompatible options, and for the ball
// in the 1-norm if w is not 0.
LearnSummary extragradient(const EuclideanPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control = {});
LearnSummary extragradient(const EntropicPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
