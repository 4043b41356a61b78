// A lower bound on min P that is valid by proof, for
//
//   P(w) = λ/2 ‖w‖² + ρ ‖w‖₁ + R(w),     R(w) = (1/n) Σ_i L_i(w) convex and ≥ 0.
//
// It needs cuts, and no more: they need not touch. What proves a gap is this bound and a value that
// P(w) does not exceed, which is P(w) itself or, where a search may have missed the best output, an
// upper bound (CutOracle).
//
// A cut of the risk, R(v) ≥ b + ⟨a, v⟩ for all v, turns into a bound by minimising its right side
// together with the penalty (which is separable, and conjugate to a soft threshold):
//
//   min P  ≥  D(a, b) = b − (1/2λ) Σ_j max(|a_j| − ρ, 0)²
//
// Convex combinations of cuts are cuts. The certificate starts from the trivial cut (0, 0) and
// keeps one combination: each new cut (a', b') moves it to the best point of the segment between
// the two, so the bound never falls. D is concave and piecewise quadratic along the segment; for
// ρ = 0 the best point is in closed form,
//
//   θ = clamp( (λ(b' − b) − ⟨a, a' − a⟩) / ‖a' − a‖², 0, 1 ),
//
// else its derivative's root is found by Newton's method, in a bracket. The step to the trivial cut
// is part of the segment for the first cut, so a cut that is too steep is scaled down, not wasted.
// For λ = 0, D is b where ‖a‖_∞ ≤ ρ and −∞ elsewhere, so each point of the segment is scaled
// towards the trivial cut until it fits, D = b min{1, ρ/‖a‖_∞}: quasi-concave, and searched by
// sections.
//
// Where some weights must stay ≥ 0 (j ∈ N), the minimum is over those w alone. A weight in N then
// answers only to a slope that pulls it up, and the sum above runs, for j ∈ N, over min(a_j + ρ,
// 0)² (for λ = 0: −a_j ≤ ρ is enough); D is then piecewise quadratic for ρ = 0, too. Cuts need to
// hold for such w only.
//
// For smooth losses the tangent at w alone gives P(w) − D = ‖∇P(w)‖²/2λ (ρ = 0).
// The combination is the Frank–Wolfe view of bundle methods; for the bound see Teo, Vishwanathan,
// Smola & Le (2010), "Bundle Methods for Regularized Risk Minimization", sec. 3.
//
// Cost: a few passes over d coordinates per cut (for λ = 0 some eighty, of its sections); one
// vector of d doubles, and d bits where N is not empty.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

class Certificate {
 public:
  // λ, ρ ≥ 0. `nonnegative`: the ranges of N, as Oracle::nonnegative() has them.
  Certificate(Index dimension, double lambda, double rho = 0,
              std::span<const WeightRange> nonnegative = {});

  // R(v) ≥ offset + ⟨slope, v⟩ for all v: joins the combination where that raises the bound.
  void add_cut(std::span<const double> slope, double offset);

  // min P ≥ bound(), up to rounding. At least 0, the bound of the trivial cut; it never falls.
  double bound() const { return bound_; }

  void save(Checkpoint& checkpoint, std::string_view prefix) const;
  void load(const Checkpoint& checkpoint, std::string_view prefix);

 private:
  double answer(Index j, double slope) const;
  double best_step(std::span<const double> slope, double offset_change) const;
  double bound_of_combination() const;
  void add_cut_scaled(std::span<const double> slope, double offset);
  double fitting_scale(std::span<const double> slope, double step) const;

  double lambda_;
  double rho_;
  std::vector<bool> nonnegative_;  // whether j ∈ N; empty where N is
  std::vector<double> slope_;
  double offset_ = 0;
  double bound_ = 0;
};

// The figures of EpochRecord.
struct Certified {
  double objective;
  double bound;
  double missed;

  double gap() const { return relative_gap(objective, bound); }
};

// One parallel pass: evaluates P at w, or bounds it from above, adds the cut of the risk there to
// the certificate (which must know the oracle's non-negative weights), and reports both. Same bits
// for any number of threads.
Certified certify(const CutOracle& oracle, std::span<const double> w, double lambda, double rho,
                  int threads, Certificate& certificate);

}  // namespace trellis
