// A provably valid lower bound of problem (P) (the paper, sec. 2.3.3, has an estimate).
//
// Each cut of the risk η Σ_k h(L_k(θ)) ≥ ω + μ'θ, and each convex combination of cuts, gives
//
//   p* ≥ ω + Σ_i g_i(μ_i),     g_i(μ) = min { f(θ) + μ'θ : 1'e^θ ≤ 1 },
//
// for the forward divergence this is, with r = c − μ_i ≥ 0 and R = Σ_j r_j,
//
//   g_i(μ) = R ln R − Σ_j r_j ln r_j       at  e^θ = r / R,
//
// and −∞ if an r_j is negative. Because of the proximal term, the master problem can leave that
// domain. So its combination is first mixed with (0, 0), which is a cut because losses are never
// negative, until it is in the domain, and then with the best combination so far, for the highest
// bound on that line. The bound is concave along the line.
//
// Time: O(dimension) logarithms for each candidate point, some thirty per update. The reverse
// divergence has no closed form: a bisection for the multiplier of the mass, with Newton's method
// for each coordinate at each step.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/divergence.h"

namespace trellis {

class LowerBound {
 public:
  // `distributions` and `c` must outlive this; every c > 0.
  LowerBound(const Distributions& distributions, Divergence divergence, std::span<const double> c);

  double value() const { return value_; }
  // (μ, ω) is a convex combination of cuts.
  void update(std::span<const double> mu, double omega);

  // The state between calls, for checkpoints.
  struct State {
    std::vector<double> mu;
    double omega = 0;
    double value = 0;
  };
  State state() const { return {mu_, omega_, value_}; }
  void restore(State state);

 private:
  // The bound at (1 − t) · kept + t · (μ, ω), and its derivative by t.
  struct Along {
    double value;
    double slope;
  };
  Along along(double t, std::span<const double> mu, double omega);
  double largest_share(std::span<const double> mu) const;
  double inner(Index i, std::span<const double> mu, std::span<double> theta) const;
  double inner_reverse(Index i, std::span<const double> mu, std::span<double> theta) const;

  const Distributions* distributions_;
  Divergence divergence_;
  std::span<const double> c_;
  std::vector<double> log_c_;
  std::vector<double> mu_, target_, mixed_, theta_;
  double omega_ = 0, value_ = 0;
};

}  // namespace trellis
