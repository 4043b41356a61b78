#include "trellis/pictures/graphs/graph_layers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::report {
namespace {

struct Neighbours {
  std::vector<std::vector<Index>> parents, children;  // by node; once for each edge
};

Neighbours neighbours_of(Index nodes, std::span<const GraphEdge> edges) {
  Neighbours near{std::vector<std::vector<Index>>(nodes), std::vector<std::vector<Index>>(nodes)};
  for (const GraphEdge& edge : edges) {
    near.children[edge.from].push_back(edge.to);
    near.parents[edge.to].push_back(edge.from);
  }
  return near;
}

// Parents before children. Throws UsageError where there is no such order.
std::vector<Index> downward_order(const Neighbours& near) {
  const Index nodes = near.parents.size();
  std::vector<Index> waiting(nodes), order;
  for (Index v = 0; v < nodes; ++v) {
    waiting[v] = near.parents[v].size();
    if (waiting[v] == 0) order.push_back(v);
  }
  for (Index k = 0; k < order.size(); ++k) {
    for (const Index child : near.children[order[k]]) {
      if (--waiting[child] == 0) order.push_back(child);
    }
  }
  if (order.size() != nodes) throw UsageError("a graph with a cycle cannot be drawn in layers");
  return order;
}

// Layers whose edges are shortest in sum, min Σ (layer_to − layer_from) with each at least 1, by
// the network simplex method (Gansner, Koutsofios, North & Vo 1993, sec. 2). A basis is a spanning
// tree of edges of length 1; one of them is exchanged while there is more to be gained by moving
// the part of the tree above it. Of a connected graph.
class ShortestLayers {
 public:
  // `layer` is feasible.
  ShortestLayers(std::span<const GraphEdge> edges, std::vector<Index> layer)
      : edges_(edges), nodes_(layer.size()), layer_(layer.begin(), layer.end()) {}

  std::vector<Index> find() {
    make_tight_tree();
    // Exchanges that gain nothing may go round: at some time they must end.
    Index idle = 0;
    for (Index k = 0, left = kExchanges * tree_.size(); idle < tree_.size() && left > 0; --left) {
      idle = exchange(k) ? 0 : idle + 1;
      k = (k + 1) % tree_.size();
    }
    const std::int64_t highest = *std::min_element(layer_.begin(), layer_.end());
    std::vector<Index> found;
    for (const std::int64_t layer : layer_) found.push_back(static_cast<Index>(layer - highest));
    return found;
  }

 private:
  static constexpr Index kExchanges = 50;  // that are tried, for each edge of the tree

  std::int64_t slack(Index e) const { return layer_[edges_[e].to] - layer_[edges_[e].from] - 1; }

  // Grows a tree from node 0; where no edge of length 1 leaves it, it is moved towards the nearest.
  void make_tight_tree() {
    std::vector<std::uint8_t> inside(nodes_, 0);
    if (nodes_ > 0) inside[0] = 1;
    while (tree_.size() + 1 < nodes_) {
      Index nearest = edges_.size();
      for (Index e = 0; e < edges_.size(); ++e) {
        if (inside[edges_[e].from] == inside[edges_[e].to]) continue;
        if (nearest == edges_.size() || slack(e) < slack(nearest)) nearest = e;
      }
      const bool downward = inside[edges_[nearest].from] != 0;
      const std::int64_t step = downward ? slack(nearest) : -slack(nearest);
      for (Index v = 0; v < nodes_; ++v) {
        if (inside[v] != 0) layer_[v] += step;
      }
      inside[edges_[nearest].from] = inside[edges_[nearest].to] = 1;
      tree_.push_back(nearest);
    }
  }

  // Which nodes the tree joins to the upper end of its k-th edge when that is cut.
  void find_upper_part(Index k) {
    upper_.assign(nodes_, 0);
    upper_[edges_[tree_[k]].from] = 1;
    for (bool grown = true; grown;) {
      grown = false;
      for (Index i = 0; i < tree_.size(); ++i) {
        const GraphEdge& edge = edges_[tree_[i]];
        if (i == k || upper_[edge.from] == upper_[edge.to]) continue;
        upper_[edge.from] = upper_[edge.to] = 1;
        grown = true;
      }
    }
  }

  // Puts the shortest edge that leads back into the upper part in place of the tree's k-th, if more
  // edges become shorter by that than longer.
  bool exchange(Index k) {
    find_upper_part(k);
    std::int64_t cut = 0;  // edges from the upper part less edges into it
    Index entering = edges_.size();
    for (Index e = 0; e < edges_.size(); ++e) {
      if (upper_[edges_[e].from] == upper_[edges_[e].to]) continue;
      cut += upper_[edges_[e].from] != 0 ? 1 : -1;
      if (upper_[edges_[e].from] != 0) continue;
      if (entering == edges_.size() || slack(e) < slack(entering)) entering = e;
    }
    if (cut >= 0) return false;
    const std::int64_t step = slack(entering);
    for (Index v = 0; v < nodes_; ++v) {
      if (upper_[v] != 0) layer_[v] -= step;
    }
    tree_[k] = entering;
    return true;
  }

  std::span<const GraphEdge> edges_;
  Index nodes_;
  std::vector<std::int64_t> layer_;
  std::vector<Index> tree_;  // edges
  std::vector<std::uint8_t> upper_;
};

// Which layer each node belongs to.
class Layers {
 public:
  Layers(const LayeredGraph& graph, const LayerOptions& options)
      : graph_(graph),
        options_(options),
        near_(neighbours_of(graph.widths.size(), graph.edges)),
        order_(downward_order(near_)),
        layer_(order_.size(), 0) {}

  std::vector<Index> find() {
    settle();
    layer_ = ShortestLayers(graph_.edges, std::move(layer_)).find();
    if (!order_.empty()) narrow();
    return layer_;
  }

 private:
  Index lowest_of_parents(Index v) const {
    Index layer = 0;
    for (const Index u : near_.parents[v]) layer = std::max(layer, layer_[u] + 1);
    return layer;
  }

  // Every node below its parents, and not above where it is.
  void settle() {
    for (const Index v : order_) layer_[v] = std::max(layer_[v], lowest_of_parents(v));
  }

  // How many layers a node needs below it.
  std::vector<Index> heights() const {
    std::vector<Index> height(order_.size(), 0);
    for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
      for (const Index child : near_.children[*v]) {
        height[*v] = std::max(height[*v], height[child] + 1);
      }
    }
    return height;
  }

  // From above: of a layer that is too wide, those stay that have the longest paths below them, and
  // of those that have equal ones every second, third, …, so that neighbours go to all layers.
  void narrow() {
    const std::vector<Index> height = heights();
    for (Index layer = 0; layer <= *std::max_element(layer_.begin(), layer_.end()); ++layer) {
      std::vector<Index> members;
      double width = 0;
      for (Index v = 0; v < layer_.size(); ++v) {
        if (layer_[v] != layer) continue;
        members.push_back(v);
        width += graph_.widths[v] + options_.node_gap;
      }
      if (width <= options_.layer_width || members.size() < 2) continue;
      const auto rows = static_cast<Index>(std::ceil(width / options_.layer_width));
      std::stable_sort(members.begin(), members.end(),
                       [&](Index a, Index b) { return height[a] > height[b]; });
      deal_out(members, height, rows);
      double used = 0;
      for (Index k = 0; k < members.size(); ++k) {
        used += graph_.widths[members[k]] + options_.node_gap;
        if (k > 0 && used > width / static_cast<double>(rows) * (1 + 1e-9)) ++layer_[members[k]];
      }
      settle();
    }
  }

  // Members of equal height, which stand together, in the order 0, r, 2r, …, 1, r + 1, …
  static void deal_out(std::vector<Index>& members, const std::vector<Index>& height, Index rows) {
    for (auto begin = members.begin(); begin != members.end();) {
      const auto end =
          std::find_if(begin, members.end(), [&](Index v) { return height[v] != height[*begin]; });
      const std::vector<Index> equal(begin, end);
      for (Index first = 0; first < rows; ++first) {
        for (Index k = first; k < equal.size(); k += rows) *begin++ = equal[k];
      }
    }
  }

  const LayeredGraph& graph_;
  const LayerOptions& options_;
  Neighbours near_;
  std::vector<Index> order_;
  std::vector<Index> layer_;
};

}  // namespace

std::vector<Index> graph_layers(const LayeredGraph& graph, const LayerOptions& options) {
  return Layers(graph, options).find();
}

}  // namespace trellis::report
