#include "trellis/solve/max_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr Index kMaxEdges = Index{1} << 30;
constexpr Index kWorkBeforeWaves = 64;  // steps along augmenting paths, for each node and arc
constexpr int kMaxWaves = 16;
constexpr double kLeastProgress = 0.1;  // of a wave: the part of the excess that finds the sink

void require_graph(Index num_nodes, std::span<const NodePair> edges) {
  if (num_nodes > kMaxEdges || edges.size() > kMaxEdges) {
    throw UsageError("a graph for minimum cuts has at most 2^30 nodes and 2^30 edges");
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

// First in, first out, in rounds.
void MaxFlow::scan_active() {
  for (const std::uint32_t v : active_) {
    queued_[v] = 0;
    if (nodes_[v].label > 0) scan<true>(v);
    if (nodes_[v].label < 0) scan<false>(v);
    if (work_ > enough_) return;
  }
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

// One path at a time is slow where the paths are long. A wave moves all excess at once, to nodes
// one step nearer to the sink, from the farthest inwards; what does not pass stays where it is and
// counts as supplied there, which leaves the minimum cuts as they are.
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

void MaxFlow::plant() {
  time_ = 0;
  active_.clear();
  next_active_.clear();
  std::fill(queued_.begin(), queued_.end(), std::uint8_t{0});
  for (std::uint32_t v = 0; v < num_nodes(); ++v) {
    Node& node = nodes_[v];
    node.label = (node.excess > 0) - (node.excess < 0);
    node.time = 0;
    node.parent = node.label == 0 ? kNone : kTerminal;
    if (node.label == 0) continue;
    queued_[v] = 1;
    active_.push_back(v);
  }
}

void MaxFlow::activate(std::uint32_t v) {
  if (queued_[v] != 0) return;
  queued_[v] = 1;
  next_active_.push_back(v);
}

template <bool kSource>
MaxFlow::Level MaxFlow::depth(const Node& node) {
  return kSource ? node.label : -node.label;
}

template <bool kSource>
MaxFlow::Capacity& MaxFlow::outward(std::uint32_t half) {
  return residual_[kSource ? half : half ^ 1];
}

// Grows the tree from v to what is free, and sends flow where the other tree begins.
template <bool kSource>
void MaxFlow::scan(std::uint32_t v) {
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end;) {
    const auto [u, half] = arcs_[a];
    const Node& node = nodes_[v];
    Node& other = nodes_[u];
    const Level level = depth<kSource>(other);
    // In the same tree only a later and shorter way to the root is of use.
    const bool settled = level > 0 && (level <= depth<kSource>(node) || other.time > node.time);
    if (settled || outward<kSource>(half) == 0) {
      ++a;
    } else if (level >= 0) {
      if (level == 0) activate(u);
      hang<kSource>(other, {depth<kSource>(node), v, half ^ 1}, node.time);
      ++a;
    } else {
      kSource ? augment(v, half, u) : augment(u, half ^ 1, v);
      if (depth<kSource>(nodes_[v]) <= 0 || work_ > enough_) return;
    }
  }
}

template <bool kSource>
void MaxFlow::hang(Node& node, const Parent& parent, std::uint64_t time) {
  node.label = kSource ? parent.level + 1 : -(parent.level + 1);
  node.time = time;
  node.parent = parent.node;
  node.parent_half = parent.half;
}

// From the source to s, over the edge to t, and on to the sink.
void MaxFlow::augment(std::uint32_t s, std::uint32_t half, std::uint32_t t) {
  const Capacity amount = bottleneck<false>(t, bottleneck<true>(s, residual_[half]));
  ++time_;
  residual_[half] -= amount;
  residual_[half ^ 1] += amount;
  push<true>(s, amount);
  adopt_orphans<true>();
  push<false>(t, amount);
  adopt_orphans<false>();
}

template <bool kSource>
MaxFlow::Capacity MaxFlow::bottleneck(std::uint32_t v, Capacity most) {
  while (nodes_[v].parent != kTerminal) {
    most = std::min(most, outward<kSource>(nodes_[v].parent_half ^ 1));
    v = nodes_[v].parent;
  }
  return std::min(most, std::abs(nodes_[v].excess));
}

template <bool kSource>
void MaxFlow::push(std::uint32_t v, Capacity amount) {
  orphans_.clear();
  Index steps = 0;
  while (nodes_[v].parent != kTerminal) {
    Node& node = nodes_[v];
    const std::uint32_t parent = node.parent;
    ++steps;
    Capacity& left = outward<kSource>(node.parent_half ^ 1);
    left -= amount;
    outward<kSource>(node.parent_half) += amount;
    if (left == 0) {
      node.parent = kNone;
      orphans_.push_back(v);
    }
    v = parent;
  }
  work_ += steps;
  Node& root = nodes_[v];
  root.excess -= kSource ? amount : -amount;
  if (root.excess == 0) {
    root.parent = kNone;
    orphans_.push_back(v);
  }
  // Those near the root first: what becomes of them decides what others find.
  std::reverse(orphans_.begin(), orphans_.end());
}

template <bool kSource>
void MaxFlow::adopt_orphans() {
  for (Index i = 0; i < orphans_.size(); ++i) {
    const std::uint32_t v = orphans_[i];
    const Parent parent = find_parent<kSource>(v);
    if (parent.node == kNone) {
      set_free<kSource>(v);
    } else {
      hang<kSource>(nodes_[v], parent, time_);
    }
  }
}

// The neighbour with the shortest way to the root.
template <bool kSource>
MaxFlow::Parent MaxFlow::find_parent(std::uint32_t v) {
  Parent best = {std::numeric_limits<Level>::max(), kNone, 0};
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
    const auto [u, half] = arcs_[a];
    if (depth<kSource>(nodes_[u]) <= 0 || outward<kSource>(half ^ 1) == 0) continue;
    const Level level = distance<kSource>(u);
    if (level > 0 && level < best.level) best = {level, u, half};
  }
  return best;
}

// The number of nodes from v to its root; 0 if an orphan stands between. What has been found out
// since the last augmentation holds, and is written down on the way.
template <bool kSource>
MaxFlow::Level MaxFlow::distance(std::uint32_t v) {
  Level length = 0;
  std::uint32_t top = v;
  while (nodes_[top].time != time_ && nodes_[top].parent != kTerminal) {
    if (nodes_[top].parent == kNone) return 0;
    top = nodes_[top].parent;
    ++length;
  }
  work_ += static_cast<Index>(length);
  if (nodes_[top].time == time_) {
    length += depth<kSource>(nodes_[top]);
  } else {
    ++length;
    nodes_[top].time = time_;
    nodes_[top].label = kSource ? 1 : -1;
  }
  Level level = length;
  for (std::uint32_t u = v; nodes_[u].time != time_; u = nodes_[u].parent, --level) {
    nodes_[u].time = time_;
    nodes_[u].label = kSource ? level : -level;
  }
  return length;
}

// Whoever could take v again has to look, and the children of v are orphans.
template <bool kSource>
void MaxFlow::set_free(std::uint32_t v) {
  nodes_[v].label = 0;
  const std::uint32_t end = nodes_[v + 1].first_arc;
  for (std::uint32_t a = nodes_[v].first_arc; a < end; ++a) {
    const auto [u, half] = arcs_[a];
    Node& other = nodes_[u];
    if (depth<kSource>(other) <= 0) continue;
    if (outward<kSource>(half ^ 1) != 0) activate(u);
    if (other.parent == v && other.parent_half == (half ^ 1)) {
      other.parent = kNone;
      orphans_.push_back(u);
    }
  }
}

}  // namespace trellis
