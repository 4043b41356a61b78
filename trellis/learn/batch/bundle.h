// The inner problem of bundle methods: cuts of the risk, and the weights that are best for all of
// them at once.
//
//   min_{w ∈ W}  λ/2 ‖w‖² + max{ 0, max_k b_k + ⟨a_k, w⟩ },     W = {w : w_j ≥ 0 for j ∈ N}
//
// is a lower bound on min P, where each R(v) ≥ b_k + ⟨a_k, v⟩. Its dual is over the simplex (the
// trivial cut a_0 = 0, b_0 = 0 takes the place of ξ ≥ 0). With A = [a_0 a_1 …], u = −Aα/λ, and [u]
// which is u with max(u_j, 0) for j ∈ N:
//
//   max_α  D(α) = bᵀα − λ/2 ‖[u]‖²,     w = [u]
//
// Without N, D is a quadratic: solve/polytopes/simplex_qp.h, from the last solution (the new cut
// has α = 0), with one more row of the Gram matrix. With N this is the dual of (A.4), Petterson
// 2011 app. A, after its γ has been maximised out: γ_j = max(0, (Aα)_j). D then is concave,
// differentiable and piecewise quadratic; a piece is given by which u_j, j ∈ N, are positive.
// Newton's method: the best α of the present piece, by simplex_qp, and then the best point of the
// segment to it. It ends when the best α of a piece lies in the piece, where it is optimal for D,
// or after a hundred steps.
//
// Cuts leave when they have had no mass for a while. When there are too many, the two with the
// least mass become one, their combination, which is a cut too: α stays feasible with the same D,
// so the bound falls by rounding at most.
//
// Time of a new cut: k inner products of d, a sum of k vectors, and k² + the QP's. With N, k²·|N|
// and two such sums more for each Newton step. Memory: k + 2 vectors of d doubles; with N one more,
// and k·|N| doubles, while it is solved.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

class Bundle {
 public:
  // λ > 0.
  Bundle(Index dimension, double lambda, std::span<const WeightRange> nonnegative, int threads);

  // R(v) ≥ offset + ⟨slope, v⟩ for all v ∈ W.
  void add(std::span<const double> slope, double offset);
  // Finds the best α for the cuts there are.
  void solve();
  // After solve(): w of the inner problem, and min P ≥ bound(), which falls by rounding at most.
  std::span<const double> minimizer() const { return minimizer_; }
  double bound() const { return bound_; }

  // Drops cuts that had no mass in more than `max_idle` calls of solve() in a row, and then drops
  // those without mass and merges others until at most `max_cuts` (> 0) are left.
  void shrink(Index max_idle, Index max_cuts);
  Index num_cuts() const { return slopes_.size() - 1; }

  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  Index size() const { return slopes_.size(); }
  double free_product(std::span<const double> x, std::span<const double> y) const;
  void combine(std::span<const double> alpha, std::span<double> u) const;
  double value(std::span<const double> alpha, std::span<const double> u) const;
  double squared_norm_in_set(std::span<const double> u) const;
  void solve_by_pieces();
  void add_positive_part(std::span<const double> u, std::vector<double>& gram) const;
  double best_step(double offset_change, std::span<const double> u,
                   std::span<const double> target) const;
  bool same_piece(std::span<const double> u, std::span<const double> v) const;
  void erase(Index k);
  void merge(Index k, Index l);

  Index dimension_;
  double lambda_;
  int threads_;
  std::vector<WeightRange> nonnegative_;     // N
  std::vector<WeightRange> free_;            // the other weights
  std::vector<std::vector<double>> slopes_;  // a_k; the first is the trivial cut's, and empty
  std::vector<double> offsets_;
  std::vector<double> alpha_;
  std::vector<std::uint64_t> idle_;  // for how many calls of solve() α_k has been 0
  std::vector<double> gram_;         // ⟨a_k, a_l⟩/λ over the free weights
  std::vector<double> u_;
  std::vector<double> minimizer_;
  double bound_ = 0;
};

}  // namespace trellis
