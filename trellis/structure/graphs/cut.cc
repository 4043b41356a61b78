#include "trellis/structure/graphs/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {
namespace {

void require_simple_graph(Index num_nodes, std::span<const NodePair> edges) {
  for (Index e = 0; e < edges.size(); ++e) {
    const auto [j, k] = edges[e];
    if (j >= num_nodes || k >= num_nodes) {
      throw UsageError(fmt::format("edge {} joins nodes {} and {}: there are only {} nodes", e, j,
                                   k, num_nodes));
    }
    if (j == k) throw UsageError(fmt::format("edge {} joins node {} to itself", e, j));
  }
  std::vector<NodePair> sorted(edges.begin(), edges.end());
  for (NodePair& edge : sorted) edge = {std::min(edge.j, edge.k), std::max(edge.j, edge.k)};
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw UsageError(
        fmt::format("nodes {} and {} are joined by more than one edge", twice->j, twice->k));
  }
}

}  // namespace

CutNetwork::CutNetwork(Index num_nodes, std::span<const NodePair> edges, CutEdges kind)
    : num_nodes_(num_nodes), edges_(edges), kind_(kind) {
  require_simple_graph(num_nodes, edges);
}

bool CutNetwork::legal(const Output& y) const {
  return y.size() == num_nodes_ &&
         std::all_of(y.begin(), y.end(), [](Label label) { return label == 0 || label == 1; });
}

void CutNetwork::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  std::copy(y.begin(), y.end(), z.begin());
  for (Index e = 0; e < edges_.size(); ++e) {
    const Label j = y[edges_[e].j], k = y[edges_[e].k];
    if (tables()) {
      z[table_part(e)] = j;
      z[table_part(e) + 1] = k;
    }
    z[disagreement_part(e)] = j != k ? 1 : 0;
  }
}

double CutNetwork::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  double sum = 0;
  for (Index j = 0; j < num_nodes_; ++j) {
    if (y[j] != 0) sum += s[j];
  }
  for (Index e = 0; e < edges_.size(); ++e) {
    const Label j = y[edges_[e].j], k = y[edges_[e].k];
    if (tables()) {
      if (j != 0) sum += s[table_part(e)];
      if (k != 0) sum += s[table_part(e) + 1];
    }
    if (j != k) sum += s[disagreement_part(e)];
  }
  return sum;
}

double CutNetwork::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  assert(s.size() == num_parts());
  scratch.supply.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(num_nodes_));
  scratch.capacity.resize(edges_.size());
  for (Index e = 0; e < edges_.size(); ++e) {
    const double disagreement = s[disagreement_part(e)];
    if (!(disagreement <= 0)) {
      throw UsageError(
          fmt::format("edge {} between nodes {} and {} rewards disagreement with {}: "
                      "expected a score ≤ 0",
                      e, edges_[e].j, edges_[e].k, disagreement));
    }
    scratch.capacity[e] = -disagreement;
    if (!tables()) continue;
    scratch.supply[edges_[e].j] += s[table_part(e)];
    scratch.supply[edges_[e].k] += s[table_part(e) + 1];
  }
  scratch.max_flow.set_graph(num_nodes_, edges_);
  scratch.max_flow.solve(scratch.supply, scratch.capacity, scratch.capacity);
  y.resize(num_nodes_);
  for (Index j = 0; j < num_nodes_; ++j) y[j] = scratch.max_flow.on_source_side(j) ? 1 : 0;
  return score(s, y);
}

// Σ_c ½ (z_j − v_c)² over the a_j copies c of a node is ½ a_j (z_j − mean)² and a constant.
void CutNetwork::project(std::span<const double> v, Scratch& scratch, std::span<double> z) const {
  assert(v.size() == num_parts() && z.size() == num_parts());
  scratch.weight.assign(num_nodes_, 1);
  scratch.mean.assign(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(num_nodes_));
  scratch.edge_value.resize(edges_.size());
  for (Index e = 0; e < edges_.size(); ++e) {
    const auto [j, k] = edges_[e];
    scratch.edge_value[e] = v[disagreement_part(e)];
    if (!tables()) continue;
    scratch.mean[j] += v[table_part(e)];
    scratch.mean[k] += v[table_part(e) + 1];
    scratch.weight[j] += 1;
    scratch.weight[k] += 1;
  }
  for (Index j = 0; j < num_nodes_; ++j) scratch.mean[j] /= scratch.weight[j];
  const std::span<double> nodes = z.first(num_nodes_);
  scratch.projection.set_graph(num_nodes_, edges_);
  scratch.projection.project(scratch.weight, scratch.mean, scratch.edge_value, nodes);
  for (Index e = 0; e < edges_.size(); ++e) {
    const double j = nodes[edges_[e].j], k = nodes[edges_[e].k];
    if (tables()) {
      z[table_part(e)] = j;
      z[table_part(e) + 1] = k;
    }
    z[disagreement_part(e)] = std::clamp(v[disagreement_part(e)], std::abs(j - k), 1.0);
  }
}

LinearProgram CutNetwork::linear_program() const {
  LinearProgram program;
  program.num_parts = program.num_variables = num_parts();
  program.upper_bounds.assign(num_parts(), 1.0);
  for (Index e = 0; e < edges_.size(); ++e) {
    const Index j = edges_[e].j, k = edges_[e].k, d = disagreement_part(e);
    program.rows.push_back({{{j, 1.0}, {k, -1.0}, {d, -1.0}}, -2, 0});
    program.rows.push_back({{{k, 1.0}, {j, -1.0}, {d, -1.0}}, -2, 0});
    if (!tables()) continue;
    program.rows.push_back({{{table_part(e), 1.0}, {j, -1.0}}, 0, 0});
    program.rows.push_back({{{table_part(e) + 1, 1.0}, {k, -1.0}}, 0, 0});
  }
  return program;
}

}  // namespace trellis
