#include "trellis/pictures/graphs/layered_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/pictures/graphs/graph_layers.h"

namespace trellis::report {
namespace {

constexpr Index kNoNode = static_cast<Index>(-1);
constexpr int kOrderSweeps = 24;
constexpr int kExchangeRounds = 10;
constexpr int kPlaceSweeps = 120;

// What takes room in a layer: a node, or the bend of an edge.
struct Slot {
  Index node = kNoNode;
  double width = 0;
  Index layer = 0;
  std::vector<Index> above, below;  // slots of the neighbouring layers
  Index position = 0;               // in its layer, from the left
  double x = 0;                     // its middle

  bool bend() const { return node == kNoNode; }
};

// A connected graph.
class LayeredPicture {
 public:
  LayeredPicture(const LayeredGraph& graph, const LayerOptions& options)
      : graph_(graph), options_(options), layer_of_(graph_layers(graph, options)) {
    make_slots();
    put_in_first_order();
    reduce_crossings();
    set_places();
  }

  GraphLayout layout() const {
    GraphLayout layout;
    layout.layers = layer_of_;
    layout.crossings = crossings();
    const std::vector<double> y = heights();
    double left = 0, right = 0;
    for (Index s = 0; s < slots_.size(); ++s) {
      left = std::min(left, slots_[s].x - slots_[s].width / 2);
      right = std::max(right, slots_[s].x + slots_[s].width / 2);
    }
    for (Index v = 0; v < layer_of_.size(); ++v) {
      layout.nodes.push_back({slots_[v].x - left, y[layer_of_[v]]});
    }
    for (Index e = 0; e < graph_.edges.size(); ++e) layout.routes.push_back(route(e, y, left));
    set_ports(layout);
    layout.width = right - left;
    layout.height = y.back() + options_.box_height / 2;
    return layout;
  }

 private:
  // The first slots are those of the nodes.
  void make_slots() {
    const Index last = *std::max_element(layer_of_.begin(), layer_of_.end());
    rows_.resize(last + 1);
    for (Index v = 0; v < layer_of_.size(); ++v) {
      slots_.push_back({v, graph_.widths[v], layer_of_[v], {}, {}});
    }
    for (const GraphEdge& edge : graph_.edges) {
      std::vector<Index> chain = {edge.from};
      for (Index layer = layer_of_[edge.from] + 1; layer < layer_of_[edge.to]; ++layer) {
        chain.push_back(slots_.size());
        slots_.push_back({kNoNode, 0, layer, {}, {}});
      }
      chain.push_back(edge.to);
      for (Index k = 0; k + 1 < chain.size(); ++k) {
        slots_[chain[k]].below.push_back(chain[k + 1]);
        slots_[chain[k + 1]].above.push_back(chain[k]);
      }
      chains_.push_back(std::move(chain));
    }
  }

  // As a walk from node to neighbour meets them, downward first: trees have no crossings then.
  void put_in_first_order() {
    std::vector<std::uint8_t> met(slots_.size(), 0);
    std::vector<Index> stack;
    for (Index start = 0; start < slots_.size(); ++start) {
      if (!slots_[start].above.empty() || met[start] != 0) continue;
      stack.push_back(start);
      while (!stack.empty()) {
        const Index s = stack.back();
        stack.pop_back();
        if (met[s] != 0) continue;
        met[s] = 1;
        rows_[slots_[s].layer].push_back(s);
        for (const auto* near : {&slots_[s].above, &slots_[s].below}) {
          for (auto next = near->rbegin(); next != near->rend(); ++next) {
            if (met[*next] == 0) stack.push_back(*next);
          }
        }
      }
    }
    for (const std::vector<Index>& row : rows_) number(row);
  }

  void number(const std::vector<Index>& row) {
    for (Index k = 0; k < row.size(); ++k) slots_[row[k]].position = k;
  }

  // Pairs of edges between two layers whose ends are in different orders: inversions, counted with
  // sums over prefixes (Barth, Mutzel & Jünger 2004).
  Index crossings_below(Index layer) const {
    if (layer + 1 >= rows_.size()) return 0;
    std::vector<Index> sums(rows_[layer + 1].size() + 1, 0);
    std::vector<Index> ends;
    Index found = 0, seen = 0;
    for (const Index s : rows_[layer]) {
      ends.clear();
      for (const Index below : slots_[s].below) ends.push_back(slots_[below].position);
      for (const Index end : ends) {
        Index not_beyond = 0;
        for (Index i = end + 1; i > 0; i -= i & (~i + 1)) not_beyond += sums[i];
        found += seen - not_beyond;
      }
      for (const Index end : ends) {
        for (Index i = end + 1; i < sums.size(); i += i & (~i + 1)) ++sums[i];
        ++seen;
      }
    }
    return found;
  }

  Index crossings() const {
    Index sum = 0;
    for (Index layer = 0; layer < rows_.size(); ++layer) sum += crossings_below(layer);
    return sum;
  }

  // `turn`: those with equal barycentres change their order.
  void sort_by_barycentres(Index layer, std::vector<Index> Slot::*neighbours, bool turn) {
    std::vector<std::pair<double, Index>> keyed;
    for (const Index s : rows_[layer]) {
      const std::vector<Index>& near = slots_[s].*neighbours;
      double sum = 0;
      for (const Index other : near) sum += static_cast<double>(slots_[other].position);
      keyed.emplace_back(near.empty() ? static_cast<double>(slots_[s].position)
                                      : sum / static_cast<double>(near.size()),
                         s);
    }
    if (turn) std::reverse(keyed.begin(), keyed.end());
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (Index k = 0; k < keyed.size(); ++k) rows_[layer][k] = keyed[k].second;
    number(rows_[layer]);
  }

  // Crossings of the edges of two slots on one side where a is to the left of b, less those where b
  // is.
  std::int64_t excess(const std::vector<Index>& a, const std::vector<Index>& b) const {
    std::int64_t sum = 0;
    for (const Index i : a) {
      for (const Index j : b) {
        sum += slots_[i].position > slots_[j].position ? 1 : 0;
        sum -= slots_[i].position < slots_[j].position ? 1 : 0;
      }
    }
    return sum;
  }

  void exchange_neighbours() {
    bool better = true;
    for (int round = 0; better && round < kExchangeRounds; ++round) {
      better = false;
      for (std::vector<Index>& row : rows_) {
        for (Index k = 0; k + 1 < row.size(); ++k) {
          Slot& a = slots_[row[k]];
          Slot& b = slots_[row[k + 1]];
          if (excess(a.above, b.above) + excess(a.below, b.below) <= 0) continue;
          std::swap(a.position, b.position);
          std::swap(row[k], row[k + 1]);
          better = true;
        }
      }
    }
  }

  void reduce_crossings() {
    exchange_neighbours();
    Index fewest = crossings();
    std::vector<std::vector<Index>> best = rows_;
    for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
      const bool turn = sweep / 2 % 2 == 1;
      if (sweep % 2 == 0) {
        for (Index layer = 1; layer < rows_.size(); ++layer) {
          sort_by_barycentres(layer, &Slot::above, turn);
        }
      } else {
        for (Index layer = rows_.size() - 1; layer-- > 0;) {
          sort_by_barycentres(layer, &Slot::below, turn);
        }
      }
      exchange_neighbours();
      const Index now = crossings();
      if (now >= fewest) continue;
      fewest = now;
      best = rows_;
    }
    rows_ = std::move(best);
    for (const std::vector<Index>& row : rows_) number(row);
  }

  double separation(const Slot& a, const Slot& b) const {
    const double gap = a.bend() || b.bend() ? options_.bend_gap : options_.node_gap;
    return (a.width + b.width) / 2 + gap;
  }

  // Straightness of an edge's parts: between nodes, at one end of a long edge, within it.
  static double weight(const Slot& a, const Slot& b) {
    return a.bend() && b.bend() ? 8 : a.bend() || b.bend() ? 2 : 1;
  }

  // The best places of a layer's slots, with all others fixed. With o_k the sum of separations
  // before slot k, x_k − o_k must not decrease: isotonic regression towards the mean of the
  // neighbours.
  void place_layer(const std::vector<Index>& row) {
    struct Pool {
      double mean, weight;
      Index size;
    };
    std::vector<Pool> pools;
    std::vector<double> offsets;
    for (Index k = 0; k < row.size(); ++k) {
      const Slot& slot = slots_[row[k]];
      offsets.push_back(k == 0 ? 0 : offsets.back() + separation(slots_[row[k - 1]], slot));
      double sum = 0, total = 0;
      for (const auto* near : {&slot.above, &slot.below}) {
        for (const Index other : *near) {
          sum += weight(slot, slots_[other]) * slots_[other].x;
          total += weight(slot, slots_[other]);
        }
      }
      Pool pool{total > 0 ? sum / total - offsets[k] : slot.x - offsets[k],
                total > 0 ? total : 1e-3, 1};
      while (!pools.empty() && pools.back().mean >= pool.mean) {
        const Pool& last = pools.back();
        const double both = last.weight + pool.weight;
        pool = {(last.mean * last.weight + pool.mean * pool.weight) / both, both,
                last.size + pool.size};
        pools.pop_back();
      }
      pools.push_back(pool);
    }
    Index k = 0;
    for (const Pool& pool : pools) {
      for (Index i = 0; i < pool.size; ++i, ++k) slots_[row[k]].x = pool.mean + offsets[k];
    }
  }

  void set_places() {
    for (const std::vector<Index>& row : rows_) {
      double x = 0;
      for (Index k = 0; k < row.size(); ++k) {
        if (k > 0) x += separation(slots_[row[k - 1]], slots_[row[k]]);
        slots_[row[k]].x = x;
      }
      for (const Index s : row) slots_[s].x -= x / 2;
    }
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      for (const std::vector<Index>& row : rows_) place_layer(row);
      for (auto row = rows_.rbegin(); row != rows_.rend(); ++row) place_layer(*row);
    }
  }

  // The middles of the layers. Where edges go far to the side, there is more room between two.
  std::vector<double> heights() const {
    std::vector<double> y = {options_.box_height / 2};
    for (Index layer = 0; layer + 1 < rows_.size(); ++layer) {
      double farthest = 0;
      for (const Index s : rows_[layer]) {
        for (const Index below : slots_[s].below) {
          farthest = std::max(farthest, std::abs(slots_[s].x - slots_[below].x));
        }
      }
      y.push_back(y.back() + options_.box_height +
                  std::clamp(farthest / 5, options_.least_rise, options_.most_rise));
    }
    return y;
  }

  std::vector<GraphPoint> route(Index e, const std::vector<double>& y, double left) const {
    std::vector<GraphPoint> points;
    for (const Index s : chains_[e]) {
      points.push_back({slots_[s].x - left, y[slots_[s].layer]});
    }
    points.front().y += options_.box_height / 2;
    points.back().y -= options_.box_height / 2;
    return points;
  }

  // Edges leave and reach a box side by side, in the order of where they come from or go to.
  void set_ports(GraphLayout& layout) const {
    std::vector<std::vector<Index>> leaving(layer_of_.size()), reaching(layer_of_.size());
    for (Index e = 0; e < graph_.edges.size(); ++e) {
      leaving[graph_.edges[e].from].push_back(e);
      reaching[graph_.edges[e].to].push_back(e);
    }
    const std::vector<std::vector<GraphPoint>> straight = layout.routes;
    for (Index v = 0; v < layer_of_.size(); ++v) {
      spread(
          leaving[v], v, [&](Index e) -> const GraphPoint& { return straight[e][1]; },
          [&](Index e) -> GraphPoint& { return layout.routes[e].front(); });
      spread(
          reaching[v], v, [&](Index e) -> const GraphPoint& { return *(straight[e].end() - 2); },
          [&](Index e) -> GraphPoint& { return layout.routes[e].back(); });
    }
  }

  template <class Far, class Near>
  void spread(std::vector<Index>& edges, Index v, const Far& far, const Near& near) const {
    std::stable_sort(edges.begin(), edges.end(),
                     [&](Index a, Index b) { return far(a).x < far(b).x; });
    const auto count = static_cast<double>(edges.size());
    const double gap = std::min(options_.port_gap, 0.85 * graph_.widths[v] / count);
    for (Index k = 0; k < edges.size(); ++k) {
      near(edges[k]).x += (static_cast<double>(k) - (count - 1) / 2) * gap;
    }
  }

  const LayeredGraph& graph_;
  const LayerOptions& options_;
  std::vector<Index> layer_of_;
  std::vector<Slot> slots_;
  std::vector<std::vector<Index>> rows_;    // by layer: its slots from left to right
  std::vector<std::vector<Index>> chains_;  // by edge: its slots from above
};

// A connected part of a graph.
struct Component {
  std::vector<Index> nodes, edges;  // rising
};

// The largest first.
std::vector<Component> components_of(const LayeredGraph& graph) {
  std::vector<Index> parent(graph.widths.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const GraphEdge& edge : graph.edges) {
    const Index a = root(edge.from), b = root(edge.to);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<Component> all(graph.widths.size());
  for (Index v = 0; v < parent.size(); ++v) all[root(v)].nodes.push_back(v);
  for (Index e = 0; e < graph.edges.size(); ++e) all[root(graph.edges[e].from)].edges.push_back(e);
  std::erase_if(all, [](const Component& part) { return part.nodes.empty(); });
  std::stable_sort(all.begin(), all.end(), [](const Component& a, const Component& b) {
    return a.nodes.size() > b.nodes.size();
  });
  return all;
}

GraphLayout lay_out(const LayeredGraph& graph, const Component& part, const LayerOptions& options) {
  LayeredGraph own;
  std::vector<Index> number(graph.widths.size(), kNoNode);
  for (const Index v : part.nodes) {
    number[v] = own.widths.size();
    own.widths.push_back(graph.widths[v]);
  }
  for (const Index e : part.edges) {
    own.edges.push_back({number[graph.edges[e].from], number[graph.edges[e].to]});
  }
  return LayeredPicture(own, options).layout();
}

}  // namespace

GraphLayout lay_out(const LayeredGraph& graph, const LayerOptions& options) {
  const Index nodes = graph.widths.size();
  for (const GraphEdge& edge : graph.edges) {
    if (edge.from >= nodes || edge.to >= nodes)
      throw UsageError("an edge to a node that does not exist");
  }
  GraphLayout whole;
  whole.layers.resize(nodes);
  whole.nodes.resize(nodes);
  whole.routes.resize(graph.edges.size());
  double x = 0, y = 0;  // where the next part begins
  for (const Component& part : components_of(graph)) {
    const GraphLayout own = lay_out(graph, part, options);
    if (x > 0 && x + own.width > options.layer_width) {
      x = 0;
      y = whole.height + options.node_gap;
    }
    for (Index k = 0; k < part.nodes.size(); ++k) {
      whole.layers[part.nodes[k]] = own.layers[k];
      whole.nodes[part.nodes[k]] = {own.nodes[k].x + x, own.nodes[k].y + y};
    }
    for (Index k = 0; k < part.edges.size(); ++k) {
      std::vector<GraphPoint>& route = whole.routes[part.edges[k]];
      for (const GraphPoint& point : own.routes[k]) route.push_back({point.x + x, point.y + y});
    }
    whole.width = std::max(whole.width, x + own.width);
    whole.height = std::max(whole.height, y + own.height);
    whole.crossings += own.crossings;
    x += own.width + options.node_gap;
  }
  return whole;
}

}  // namespace trellis::report
