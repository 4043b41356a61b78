// The nearest point of the cut polytope (Taskar, Lacoste-Julien & Jordan 2006, app. 2.A of
// Lacoste-Julien 2009; here with z_e ≤ 1 as well, so that the polytope is bounded):
//
//   min  Σ_j ½ a_j (z_j − v_j)² + Σ_{e = jk} ½ (z_e − v_e)²
//   over 0 ≤ z_j ≤ 1,   |z_j − z_k| ≤ z_e ≤ 1
//
// Given the nodes, z_e = min(1, max(v_e, |z_j − z_k|)); the rest is a convex problem of tensions
// t_e = z_j − z_k,
//
//   min_{z ∈ [0,1]^n}  Σ_j ½ a_j (z_j − v_j)² + Σ_e w_e |t_e| + ½ max(0, |t_e| − d_e)²
//
// with w_e = max(0, −v_e), a kink that fuses neighbours, and d_e = max(0, v_e), a slack. z is
// optimal iff there are flows f_e ∈ ∂φ_e(t_e) that balance the pulls a_j (z_j − v_j) at all nodes,
// except for pressure against the bounds. On fused edges f_e is any flow within ± w_e, so
//
//   one maximum flow decides whether the groups of fused nodes stay together, and if not, its
//   minimum cuts divide them into parts (as in the decomposition algorithm of Groenevelt 1991 and
//   the steepest descent of Kolmogorov & Shioura 2009);
//   a Newton method for the groups (contracted_tension.h) computes the positions of the parts,
//
// and groups that meet are fused. That takes about ten rounds. The objective decreases in every
// round: if Newton's step fails, the cuts themselves give a direction of descent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"
#include "trellis/solve/flows/contracted_tension.h"
#include "trellis/solve/flows/max_flow.h"

namespace trellis {

struct TensionSummary {
  double residual = 0;  // see TensionProjection::residual
  Index rounds = 0;     // maximum flows
};

class TensionProjection {
 public:
  // Prepares for projections on this graph; see MaxFlow::set_graph.
  void set_graph(Index num_nodes, std::span<const NodePair> edges);

  // z: out, the values of the nodes, in [0,1]; fused ones are equal to the bit. a_j ≥ 1 (less is
  // slow); all finite. The residual is below 1e-11 unless rounding forbids (a group of n fused
  // nodes has a value of 53 bits, hence a residual of about n·1e-16).
  TensionSummary project(std::span<const double> a, std::span<const double> v,
                         std::span<const double> edge_v, std::span<double> z);

  // How far z is from optimal: the largest pull at a node that no flow balances, relative to
  // max(1, the largest |v|). Groups of fused nodes are those with equal bits.
  double residual(std::span<const double> a, std::span<const double> v,
                  std::span<const double> edge_v, std::span<const double> z);

 private:
  struct Problem {
    std::span<const double> a, v, edge_v;
    double scale;  // max(1, largest |v|)
    double noise;  // what rounding can do to the objective
  };
  Problem make_problem(std::span<const double> a, std::span<const double> v,
                       std::span<const double> edge_v) const;
  double objective(const Problem& problem, std::span<const double> z) const;

  void balance(const Problem& problem, std::span<const double> z);
  bool find_pulls(const Problem& problem, std::span<const double> z);
  double largest_pull(std::span<const double> z) const;

  std::uint32_t root(std::uint32_t i);
  void unite(std::uint32_t i, std::uint32_t k);
  template <class Fused>
  void group_nodes(const Problem& problem, const Fused& fused);
  bool merge_groups(const Problem& problem);

  void choose_signs(std::span<const double> z);
  void contract(const Problem& problem);
  void move_groups(const Problem& problem, double tolerance);
  bool newton_step(const Problem& problem, double accuracy, double highest,
                   std::span<const double> z);
  void descend(const Problem& problem, std::span<double> z) const;

  std::vector<NodePair> edges_;
  MaxFlow max_flow_;
  ContractedTension contracted_;

  std::vector<double> gradient_;    // by node, without the flows on fused edges
  std::vector<double> unbalanced_;  // by node, with them
  std::vector<double> pull_;        // by node: −1 down, 1 up, 0 neither
  std::vector<double> trial_;       // by node
  std::vector<double> capacity_;    // by edge: of the flow
  std::vector<double> sign_;        // by edge: which end is taken to be higher

  Index num_groups_ = 0;
  std::vector<std::uint32_t> group_;       // by node
  std::vector<std::uint32_t> parent_;      // a forest over nodes or groups, to unite them
  std::vector<std::uint32_t> number_;      // of each group after a merger
  std::vector<double> x_;                  // by group: its value
  std::vector<double> strongest_, bound_;  // by group: pulls, and those that count as none
};

}  // namespace trellis
