// A dual point of the regularised risk, and the steps that raise it. Each example i has a cut
// (a_i, b_i) of its loss, L_i(v) ≥ b_i + ⟨a_i, v⟩ for v ∈ W = {v : v_j ≥ 0 for j ∈ N}. All of them:
//
//   u = −(1/λn) Σ_i a_i,     w = [u]:  u, with max(u_j, 0) for j ∈ N
//   D = (1/n) Σ_i b_i − λ/2 ‖w‖²  =  min_{v ∈ W} λ/2 ‖v‖² + (1/n) Σ_i (b_i + ⟨a_i, v⟩)  ≤  min P
//
// A step moves one (a_i, b_i) by θ(Δa, Δb). With the rise ρ = Δb + ⟨Δa, w⟩,
//
//   n D'(θ) = ρ + Σ_j ([u − θΔa/λn]_j − w_j) Δa_j
//
// falls with θ; where no Δa_j has j ∈ N it is ρ − θ‖Δa‖²/λn, and the best step is λn ρ/‖Δa‖². Else
// it is piecewise linear, and its root is found to rounding (solve/falling_root.h).
//
// Who stores the cuts sees to it that u is their sum. Time of a step: the coordinates of Δa, and
// the ranges of N.
//
// The weighted mean of the points, the t-th with weight t (Lacoste-Julien et al. 2013, Algorithm
// 4), is kept lazily. Means of u and b are a dual point again, with its own D; the mean
// of the w is a point of W whose P is at most the mean of their P. (Without N the two are the
// same.)
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/running_mean.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

class DualPoint {
 public:
  // λ > 0. The weights w belong to the caller; they are 0, the point of all trivial cuts, or are
  // made by a sum before the first step. `oracle` must outlive this.
  DualPoint(const Oracle& oracle, double lambda, std::span<double> w)
      : DualPoint(oracle.nonnegative(), oracle.num_examples(), lambda, w) {}
  // The same of any n losses whose cuts hold where the weights of N, `nonnegative`, are ≥ 0. The
  // ranges must outlive this.
  DualPoint(std::span<const WeightRange> nonnegative, Index num_examples, double lambda,
            std::span<double> w);

  std::span<const double> weights() const { return w_; }
  double lambda_n() const { return lambda_n_; }

  // The θ in [0, limit] with the highest D. The limit is finite.
  double best_step(const SparseVector& change, double rise, double limit);
  // (a_i, b_i) has moved by θ(Δa, Δb).
  void move(const SparseVector& change, double offset_change, double step);

  // Recomputes u and b: begin(), add() each (a_i, b_i), with a factor, and end().
  void begin_sum();
  void add(const SparseVector& slope, double offset, double factor = 1);
  void end_sum();

  double bound() const;         // D, by ‖w‖² afresh: O(d)
  double squared_norm() const;  // ‖w‖²
  double mean_offset() const { return offset_sum_ / num_examples_; }
  void write_slope_sum(std::span<double> sum) const;  // sum ← Σ_i a_i

  // Starts a new mean. count() adds the current point to it.
  void keep_mean();
  void count();
  bool has_mean() const { return mean_.has_value(); }
  void write_mean(std::span<double> w) const;
  double bound_of_mean() const;

  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  std::span<double> u() { return u_.empty() ? w_ : std::span<double>(u_); }
  std::span<const double> u() const { return u_.empty() ? w_ : std::span<const double>(u_); }
  double bound_at(std::span<const double> w, double mean_offset) const;
  void gather(const SparseVector& change);
  void follow(const SparseVector& change);

  std::span<const WeightRange> nonnegative_;
  double num_examples_;
  double lambda_;
  double lambda_n_;
  std::span<double> w_;
  std::vector<double> u_;  // empty without N: u is w then
  double offset_sum_ = 0;  // Σ b_i

  // The coordinates of a change in N, and what is left of its squared norm.
  struct Restricted {
    double u;
    double change;
  };
  std::vector<Restricted> restricted_;
  double free_squared_norm_ = 0;

  std::optional<RunningMean> mean_;         // of u
  std::optional<RunningMean> mean_in_set_;  // of w, where that is not u
  double time_ = 0;                         // how many points have joined
  double offset_moment_ = 0;                // Σ_t t · (Σ_i b_i at t)
};

}  // namespace trellis
