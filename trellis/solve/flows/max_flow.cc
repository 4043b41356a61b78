#include "trellis/solve/flows/max_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kMaxEdges = Index{1} << 30;
constexpr Index kWorkBeforeWaves = 64;  // steps along augmenting paths, for each node and arc
constexpr int kMaxWaves = 16;
constexpr double kLeastProgress = 0.1;  // of a wave: the part of the excess that finds the sink

void require_graph(Index num_nodes, std::span<const NodePair> edges) {
  if (num_nodes > kMaxEdges || edges.size() > kMaxEdges) {
    throw UsageError("a graph for minimum cuts must have at most 2^30 nodes and 2^30 edges");
  }
  for (Index e = 0; e < edges.size(); ++e) {
    const NodePair edge = edges[e];
    if (edge.j == edge.k || edge.j >= num_nodes || edge.k >= num_nodes) {
      throw UsageError(
          fmt::format("edge {} from node {} to node {}: expected two different nodes of {}", e,
                      edge.j, edge.k, num_nodes));
    }
  }
}

void require_capacity(double capacity, Index edge) {
  if (!(capacity >= 0) || !std::isfinite(capacity)) {
    throw UsageError(
        fmt::format("the capacity of edge {} is {}: expected a finite number ≥ 0", edge, capacity));
  }
}

// To the nearest integer, for x ≥ 0; x + ½ itself would be rounded where x has 53 bits.
std::int64_t rounded(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return whole + (x - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

void require_supply(double supply, Index node) {
  if (!std::isfinite(supply)) {
    throw UsageError(
        fmt::format("the supply of node {} is {}: expected a finite number", node, supply));
  }
}

}  // namespace

void MaxFlow::set_graph(Index num_nodes, std::span<const NodePair> edges) {
  const bool same = nodes_.size() == num_nodes + 1 &&
                    std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end());
  if (same) return;
  require_graph(num_nodes, edges);
  edges_.assign(edges.begin(), edges.end());
  nodes_.assign(num_nodes + 1, Node());
  arcs_.resize(2 * edges.size());
  residual_.assign(2 * edges.size(), 0);
  beyond_.assign(num_nodes, 0);
  sums_.assign(num_nodes, 0);
  queued_.assign(num_nodes, 0);
  number_edges();
  for (const NodePair edge : edges_) {
    ++nodes_[edge.j].first_arc;
    ++nodes_[edge.k].first_arc;
  }
  std::uint32_t sum = 0;
  for (Node& node : nodes_) node.first_arc = sum += node.first_arc;
  for (Index e = edges_.size(); e-- > 0;) {
    const auto half = 2 * position_[e];
    arcs_[--nodes_[edges_[e].j].first_arc] = {edges_[e].k, half};
    arcs_[--nodes_[edges_[e].k].first_arc] = {edges_[e].j, half + 1};
  }
}

// Edges lie in memory as their nodes do, whatever the order in which they were given.
void MaxFlow::number_edges() {
  std::vector<std::uint32_t> next(nodes_.size(), 0);
  for (const NodePair edge : edges_) ++next[std::min(edge.j, edge.k) + 1];
  for (Index j = 1; j < next.size(); ++j) next[j] += next[j - 1];
  position_.resize(edges_.size());
  for (Index e = 0; e < edges_.size(); ++e) {
    position_[e] = next[std::min(edges_[e].j, edges_[e].k)]++;
  }
}

double MaxFlow::solve(std::span<const double> supply, std::span<const double> forward,
                      std::span<const double> backward) {
  assert(supply.size() == num_nodes());
  assert(forward.size() == num_edges() && backward.size() == num_edges());
  quantize(supply, forward, backward);
  serve_neighbours();
  plant();
  work_ = 0;
  enough_ = kWorkBeforeWaves * (nodes_.size() + arcs_.size());
  while (!active_.empty()) {
    scan_active();
    if (work_ > enough_) {
      send_waves();
      plant();
      enough_ = 2 * work_;
    } else {
      active_.swap(next_active_);
      next_active_.clear();
    }
  }
  return cut_cost(supply, forward, backward);
}

void MaxFlow::choose_quantum(std::span<const double> forward, std::span<const double> backward) {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (Index e = 0; e < edges_.size(); ++e) {
    require_capacity(forward[e], e);
    require_capacity(backward[e], e);
    sums_[edges_[e].j] += forward[e] + backward[e];
    sums_[edges_[e].k] += forward[e] + backward[e];
  }
  double largest = 0;
  for (const double sum : sums_) largest = std::max(largest, sum);
  if (!std::isfinite(largest)) throw UsageError("the capacities at a node have no finite sum");
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Sums at a node stay below 2⁶², with their rounding; and the scale is finite for any double.
  scale_ = std::ldexp(1.0, std::min(61 - exponent, 1000));
}

void MaxFlow::quantize(std::span<const double> supply, std::span<const double> forward,
                       std::span<const double> backward) {
  choose_quantum(forward, backward);
  for (Index e = 0; e < edges_.size(); ++e) {
    const Index half = 2 * Index{position_[e]};
    residual_[half] = rounded(forward[e] * scale_);
    residual_[half + 1] = rounded(backward[e] * scale_);
  }
  const double quantum = 1 / scale_;
  for (Index j = 0; j < supply.size(); ++j) {
    require_supply(supply[j], j);
    const std::uint32_t away = supply[j] > 0 ? 0 : 1;
    Capacity carried = 0;
    for (Index a = nodes_[j].first_arc; a < nodes_[j + 1].first_arc; ++a) {
      carried += residual_[arcs_[a].half ^ away];
    }
    nodes_[j].excess = quantized_supply(supply[j], carried);
    beyond_[j] = supply[j] - static_cast<double>(nodes_[j].excess) * quantum;
  }
}

// More than the edges carry is no use but to decide the side of the node, for which one quantum
// more is enough; so supplies have no part in the choice of q.
MaxFlow::Capacity MaxFlow::quantized_supply(double supply, Capacity carried) const {
  const double size = std::abs(supply) * scale_;
  const Capacity amount = size > static_cast<double>(carried) ? carried + 1 : rounded(size);
  return supply > 0 ? amount : -amount;
}

double MaxFlow::cut_cost(std::span<const double> supply, std::span<const double> forward,
                         std::span<const double> backward) const {
  double cost = 0;
  for (Index j = 0; j < supply.size(); ++j) {
    if (on_source_side(j) != (supply[j] > 0)) cost += std::abs(supply[j]);
  }
  for (Index e = 0; e < edges_.size(); ++e) {
    const bool j = on_source_side(edges_[e].j), k = on_source_side(edges_[e].k);
    if (j != k) cost += j ? forward[e] : backward[e];
  }
  return cost;
}

double MaxFlow::excess(Index j) const {
  return beyond_[j] + static_cast<double>(nodes_[j].excess) / scale_;
}

double MaxFlow::residual(Index edge) const {
  return static_cast<double>(residual_[2 * Index{position_[edge]}]) / scale_;
}

// Most of what can flow flows between neighbours. No branches: they would be as random as the
// supplies, and this is where most of the time goes if they are.
void MaxFlow::serve_neighbours() {
  for (std::uint32_t v = 0; v < num_nodes(); ++v) {
    Capacity here = nodes_[v].excess;
    const std::uint32_t end = nodes_[v + 1].first_arc;
    for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
      const auto [u, half] = arcs_[a];
      if (u < v) continue;
      Capacity& there = nodes_[u].excess;
      const Capacity out = std::min({here, -there, residual_[half]});
      const Capacity in = std::min({-here, there, residual_[half ^ 1]});
      const Capacity amount = std::max<Capacity>(out, 0) - std::max<Capacity>(in, 0);
      here -= amount;
      there += amount;
      residual_[half] -= amount;
      residual_[half ^ 1] += amount;
    }
    nodes_[v].excess = here;
  }
}

// One path at a time is slow if the paths are long. A wave moves all excess together, to nodes one
// step nearer to the sink, from the farthest inwards; excess that cannot move counts as supply of
// its node, which does not change the minimum cuts.
void MaxFlow::send_waves() {
  double before = 0;
  for (std::uint32_t v = 0; v < num_nodes(); ++v) {
    before += static_cast<double>(std::max<Capacity>(nodes_[v].excess, 0));
  }
  for (int wave = 0; wave < kMaxWaves; ++wave) {
    measure_distances();
    for (Index i = active_.size(); i-- > 0;) send_on(active_[i]);
    double after = 0;
    for (std::uint32_t v = 0; v < num_nodes(); ++v) {
      after += static_cast<double>(std::max<Capacity>(nodes_[v].excess, 0));
    }
    if (before - after <= kLeastProgress * before) return;
    before = after;
  }
}

// Labels all nodes from which the sink can be reached by one more than their distance to a node
// that it takes from, and lists them in that order.
void MaxFlow::measure_distances() {
  active_.clear();
  for (std::uint32_t v = 0; v < num_nodes(); ++v) {
    nodes_[v].label = nodes_[v].excess < 0 ? 1 : 0;
    if (nodes_[v].label != 0) active_.push_back(v);
  }
  for (Index i = 0; i < active_.size(); ++i) {
    const std::uint32_t v = active_[i];
    const std::uint32_t end = nodes_[v + 1].first_arc;
    for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
      const auto [u, half] = arcs_[a];
      if (nodes_[u].label != 0 || residual_[half ^ 1] == 0) continue;
      nodes_[u].label = nodes_[v].label + 1;
      active_.push_back(u);
    }
  }
}

void MaxFlow::send_on(std::uint32_t v) {
  Node& node = nodes_[v];
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = node.first_arc; a < end && node.excess > 0; ++a) {
    const auto [u, half] = arcs_[a];
    if (nodes_[u].label == 0 || nodes_[u].label + 1 != node.label) continue;
    const Capacity amount = std::min(node.excess, residual_[half]);
    node.excess -= amount;
    nodes_[u].excess += amount;
    residual_[half] -= amount;
    residual_[half ^ 1] += amount;
  }
}

}  // namespace trellis
