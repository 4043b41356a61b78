// Minimum cuts and maximum flows. A cut gives each node j a side x_j ∈ {0, 1} and costs
//
//   Σ_j  b_j⁺ [x_j = 0] + b_j⁻ [x_j = 1]
//     +  Σ_{e = jk}  forward_e [x_j = 1, x_k = 0] + backward_e [x_j = 0, x_k = 1]
//
// b_j = b_j⁺ − b_j⁻ is the supply from the source to j, or, if negative, the demand of the sink at
// j. Graphs are arbitrary: duplicate edges, isolated nodes and several components are allowed. Of
// several minimum cuts the result has the fewest nodes on side 1: the nodes that the source still
// reaches at the maximum flow, the intersection of the sides 1 of all minimum cuts.
//
// Boykov & Kolmogorov (2004), "An experimental comparison of min-cut/max-flow algorithms": two
// trees grow, one from the source and one towards the sink; where they touch, flow is sent, and
// nodes that lose their parent search for another one. Distances to the roots have time stamps
// (Kolmogorov 2003), which keeps the trees shallow and the searches short. Flow between neighbours
// is sent first; if paths are long, breadth-first waves of excess are sent in between, as in
// preflow methods. There is no recursion.
//
// Rounding: a sum of flows that were rounded one by one would not match a cut. So capacities are
// rounded once, to multiples of a quantum q ≤ 2⁻⁶⁰ times the largest sum of capacities at a node,
// and everything after that is exact; every augmentation moves at least one quantum. A supply
// larger than the capacity of all edges of its node decides that node alone, however small these
// are. Hence the cut costs at most (2n + m) q more than the minimum, and nothing if supplies and
// capacities are multiples of q, e.g. integers below 2⁵³.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"

namespace trellis {

class MaxFlow {
 public:
  // Prepares for the cuts of this graph; returns at once if it is the current graph. Throws
  // UsageError for an edge with equal ends or with a node that does not exist, and for more than
  // 2³⁰ edges.
  void set_graph(Index num_nodes, std::span<const NodePair> edges);

  Index num_nodes() const { return nodes_.empty() ? 0 : nodes_.size() - 1; }
  Index num_edges() const { return edges_.size(); }

  // Finds the minimum cut and returns its cost, summed from the capacities as given. Throws
  // UsageError if a capacity is negative or a value is not finite. Repeated calls on the same graph
  // do not allocate.
  double solve(std::span<const double> supply, std::span<const double> forward,
               std::span<const double> backward);

  // Results of the last solve:
  bool on_source_side(Index j) const { return nodes_[j].label > 0; }  // x_j
  // Whether x_j = 0 in all minimum cuts: more supply of j could still reach the sink.
  bool on_sink_side(Index j) const { return nodes_[j].label < 0; }
  //  0: flow into j, from the source and other nodes, that cannot continue; < 0: demand of the sink
  // at j that is not met. The flow is Σ_j b_j⁺ minus the sum of all positive excesses.
  double excess(Index j) const;
  double residual(Index edge) const;  // the capacity from j to k that is left

 private:
  using Level = std::int32_t;
  using Capacity = std::int64_t;

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;      // no parent: free, or an orphan
  static constexpr std::uint32_t kTerminal = 0xFFFFFFFE;  // the parent is source or sink

  // Half 2e of an edge e leads from j to k and half 2e + 1 back, so that `half ^ 1` is the reverse.
  struct Arc {
    std::uint32_t head;
    std::uint32_t half;
  };
  struct Node {
    Capacity excess = 0;  // what the source could still supply (> 0) or the sink still take (< 0)
    std::uint64_t time = 0;  // the augmentation after which the label was right
    // Distance to the source (> 0) or to the sink (< 0) in the tree of the node; 0: free.
    Level label = 0;
    std::uint32_t parent = kNone;
    std::uint32_t parent_half = 0;  // of the edge to the parent
    std::uint32_t first_arc = 0;
  };
  struct Parent {
    Level level;
    std::uint32_t node;
    std::uint32_t half;  // of the edge to it
  };

  void number_edges();
  void choose_quantum(std::span<const double> forward, std::span<const double> backward);
  void quantize(std::span<const double> supply, std::span<const double> forward,
                std::span<const double> backward);
  Capacity quantized_supply(double supply, Capacity carried) const;
  double cut_cost(std::span<const double> supply, std::span<const double> forward,
                  std::span<const double> backward) const;
  void serve_neighbours();
  void scan_active();
  void send_waves();
  void measure_distances();
  void send_on(std::uint32_t v);
  void plant();

  // The two trees are mirror images: the source's sends flow to its leaves, the sink's to its root.
  template <bool kSource>
  static Level depth(const Node& node);  // ≤ 0 outside of the tree
  template <bool kSource>
  Capacity& outward(std::uint32_t half);  // residual capacity by which the tree can grow
  template <bool kSource>
  void scan(std::uint32_t v);
  template <bool kSource>
  static void hang(Node& node, const Parent& parent, std::uint64_t time);
  template <bool kSource>
  Capacity bottleneck(std::uint32_t v, Capacity most);
  template <bool kSource>
  void push(std::uint32_t v, Capacity amount);
  template <bool kSource>
  void adopt_orphans();
  template <bool kSource>
  Parent find_parent(std::uint32_t v);
  template <bool kSource>
  Level distance(std::uint32_t v);
  template <bool kSource>
  void set_free(std::uint32_t v);
  void activate(std::uint32_t v);
  void augment(std::uint32_t s, std::uint32_t half, std::uint32_t t);

  std::vector<NodePair> edges_;          // as they were given
  std::vector<std::uint32_t> position_;  // of each of them in the order of their smaller node
  std::vector<Arc> arcs_;                // by tail
  std::vector<Node> nodes_;              // and one more, for its first_arc
  std::vector<Capacity> residual_;       // by half
  std::vector<double> beyond_;           // by node: of the supply, what takes no part in the search
  std::vector<double> sums_;             // of the capacities at each node
  double scale_ = 1;                     // 1/q, a power of two
  Index work_ = 0, enough_ = 0;  // steps along paths: done, and allowed before waves are sent
  std::uint64_t time_ = 0;       // augmentations
  std::vector<std::uint32_t> active_, next_active_;  // nodes that may find a neighbour to grow to
  std::vector<std::uint8_t> queued_;                 // by node: is it in one of those lists?
  std::vector<std::uint32_t> orphans_;
};

}  // namespace trellis
