// The dual extragradient method for max-margin learning: Taskar, Lacoste-Julien & Jordan (2006),
// "Structured Prediction, Dual Extragradient and Bregman Projections"; Lacoste-Julien 2009 ch. 2,
// figs. 2.2, 2.4 and 2.6; the method is Nesterov's (2003).
//
//   min_{w ∈ W} max_{z ∈ Z}  λn/2 ‖w‖² + Σ_i (F_iᵀ w + c_i)·(z_i − z(y_i))
//
// Two players move: w against the part scores, each z_i within the polytope Z_i of its example. An
// iteration looks ahead from v and then steps by what it saw at u,
//
//   v = T(û, s)     u = T(v, −a·A(v))     s ← s − a·A(u)     A ← A + a     w̄ ← w̄ + (a/A)(u_w − w̄)
//
// where A(u) = (Σ_i F_i (z_i − z(y_i)), −F_iᵀ w − c_i) is the operator of the game, û its centre (w
// as it comes in, z_i = z(y_i) or an inner point), and T a step: to the nearest point
// (EuclideanPartOracle), or, with the entropy of the distribution over outputs, exp(s·z)-fold
// (EntropicPartOracle: the natural parameters θ_i are linear in s_i and the scores, so v_z and u_z
// are the marginals of exp(θ_i·z); nothing but sums is asked of the structure).
//
// The proof, which also chooses the steps. Let d be the divergence of the geometry, and
//
//   S_t(u) = Σ_{k<t} a_k [⟨A(u_k), u⟩ + ψ(w)] + d(ŵ, w)/σ + σ d(ẑ, z),    ψ(w) = λn/2 ‖w‖².
//
// v_t is the minimum of S_t (so the penalty is never linearised: w-steps are in closed form), and
// by convexity the means satisfy, for every u of W × Z and whatever the steps a_k were,
//
//   A · [L(w̄, z) − L(w, z̄)]  ≤  d(ŵ, w)/σ + σ d(ẑ, z) − Q_t,
//   Q_t = min S_t − Σ_{k<t} a_k [⟨A(u_k), u_k⟩ + ψ(u_k)].
//
// So the gap falls as 1/A as long as Q_t ≥ 0, and that holds if each step keeps Q from falling. S_t
// is convex of modulus b = 1/σ + Aλn in w and of σ in z, hence Q_{t+1} − Q_t ≥ the minimum over u
// of b d(v, u_t) + b d(u_t, u) + σ (the same in z) + a⟨A(u_t) − A(v), u − u_t⟩, which is not
// negative for a ≤ √(bσ)/L, where L is the norm of F between the two geometries. For λ = 0 this is
// the paper's step 1/L and its bound (2.19), gap ≤ (D_w/σ + σ D_z) L/t. For λ > 0 the modulus b
// grows with A, and so may the steps: A ~ t², and the gap falls as 1/t².
//
// L = ‖F‖₂ by the power method (spectral_norm.h); for the 1-norm ball R‖F‖₂, and the entropy has
// its own constant (KL ≥ ½‖ΔP‖₁² ≥ 2‖Δz‖²/diam² Z_i), unknown here. These are worst cases. But Q_t
// itself comes for free: the minimum of S_t is seen when v_t is made. So with `adaptive` the step
// grows by 7 % while Q does not fall, and shrinks by a third where it did (not below the proven
// one, where there is one). The step grows only while Q has lost no more than σ d(ẑ, v_z) by all
// its falls, which is bounded as Z is; after that, and a few more cuts, Q cannot fall: so Q is
// bounded below, and the rates above stand with a constant added.
//
// σ says how far the players go relative to each other; any σ is right, and the best is √(D_w/D_z).
// By default it is estimated from the losses at the start (extragradient_start.h). Where
// d(ŵ, v_w)/d(ẑ, v_z) shows after 32, 128 or 512 iterations that it is much too small or too large,
// and as many iterations are still to come, the method begins again with the better σ, around the w̄
// that it has come to (with kL1, around the same centre); the rates then are those since the last
// beginning.
//
// Memory (fig. 2.6): s_z = A (F_iᵀ w̄ + c_i) is made anew where it is needed, so there are five
// weight vectors (w̄, s_w, u_w and the sums at v and u), one more for a centre other than 0 or the
// ball in the 1-norm, two more where there is a penalty without a ball (the certificate's). Threads
// add partial sums to that, and the parts and slopes of a few examples each: with a penalty,
// `./dev bench memory` measures 7.15 weight vectors with one thread and 7.76 with two. kStored
// keeps s_z, z̄ and the last u_z instead (fig. 2.2), to the same iterates but for rounding; s_z
// takes it another look at all scores in each iteration.
//
// Where a penalty holds the weights, example_game.h goes to the same saddle point example by
// example, in the memory of all z_i.
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

// λ, ball and radius: see weight_ball.h. With kL1 the geometry of W is the simplex's, and w must
// come in as 0. The paper's own method is adaptive = accelerate = false, balance = 1.
struct ExtragradientOptions : WeightBallOptions {
  Index max_iterations = 100;
  ExtragradientForm form = ExtragradientForm::kMemoryEfficient;
  double step_scale = 1;   // of the first step, relative to the proven one; > 0
  bool adaptive = true;    // let Q govern the step
  bool accelerate = true;  // let the steps grow with the modulus of the penalty
  double balance = 0;      // σ; 0: choose it
  Index gap_every = 1;     // with certify: iterations per evaluation of the gap (one more pass)
};

// An epoch is an iteration: one pass; those before the first, for σ and ‖F‖₂, are in no record. w:
// in, the centre ŵ (projected onto W); out, w̄. Records hold P(w̄), the bound and the gap in the
// library's scale (extragradient_gap.h), every gap_every iterations and in the last one, if
// LearnControl::certify is set. Without λ and ball the bound is the trivial 0, unless all slopes
// push weights down that are held ≥ 0. Throws UsageError for options that do not fit, and for the
// ball in the 1-norm where w is not 0.
LearnSummary extragradient(const EuclideanPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control = {});
LearnSummary extragradient(const EntropicPartOracle& oracle, const ExtragradientOptions& options,
                           std::span<double> w, const LearnControl& control = {});

}  // namespace trellis
