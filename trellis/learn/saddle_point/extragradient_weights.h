// The steps of the weights in the dual extragradient method (extragradient.h, whose symbols these
// are), for the two geometries of W.
//
// Euclidean, d(ŵ, w) = ½‖w − ŵ‖². Penalty and divergence together are one round paraboloid, so its
// least point over W is the nearest point of W to its least point over all w:
//
//   v_w = π_W( (ŵ/σ + s_w)/b ),              b = 1/σ + A λn
//   u_w = π_W( (b v_w − a g)/(b + a λn) ).
//
// The ball in the 1-norm, by the simplex transformation (Example 1 of sec. 2.4.2): w = R (p⁺ − p⁻)
// with p = (p⁰, p⁺, p⁻) ≥ 0 and Σp = 1, d(p̂, p) = KL(p ‖ p̂), p̂ uniform. p⁻_j is left out where w_j
// must stay ≥ 0. Steps are multiplicative, and p_v is a function of s_w alone,
//
//   p_v ∝ exp(σR s_w), exp(−σR s_w), 1      and the same of s_w − a g for u_w.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/saddle_point/weight_ball.h"
#include "trellis/oracle/part_oracle.h"

namespace trellis {

// Where the method stands: A = Σ a_k, and the balance σ of the two players.
struct SaddleScale {
  double mass = 0;   // A
  double sigma = 1;  // σ
};

// One call at a time: the simplex keeps memory of its own.
class WeightSteps {
 public:
  virtual ~WeightSteps() = default;
  // v ← argmin_w −⟨s, w⟩ + A λn/2 ‖w‖² + d(ŵ, w)/σ; returns the minimum.
  virtual double from_center(std::span<const double> s, const SaddleScale& scale,
                             std::span<double> v) const = 0;
  // u ← argmin_w a (⟨g, w⟩ + λn/2 ‖w‖²) + (1/σ + A λn) d(v, w), for the v of from_center(s, scale);
  // returns ‖u‖² where λ > 0.
  virtual double from_point(std::span<const double> v, std::span<const double> s,
                            std::span<const double> g, double a, const SaddleScale& scale,
                            std::span<double> u) const = 0;
  // ŵ; empty where it is 0.
  virtual std::span<const double> center() const = 0;
  // The modulus of d in the 2-norm is at least 1/scale²: what ‖F‖₂ is multiplied by.
  virtual double lipschitz_scale() const = 0;
};

// `center` is ŵ, a point of W, or empty where ŵ = 0, as it must be for the ball in the 1-norm.
// `oracle` must outlive the steps.
std::unique_ptr<WeightSteps> make_weight_steps(const PartOracle& oracle,
                                               const WeightBallOptions& options,
                                               std::vector<double> center);

}  // namespace trellis
