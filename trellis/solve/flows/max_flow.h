// Minimum cuts and maximum flows. A cut gives each node j a side x_j ∈ {0, 1} and costs
//
//   Σ_j  b_j⁺ [x_j = 0] + b_j⁻ [x_j = 1]
//     +  Σ_{e = jk}  forward_e [x_j = 1, x_k = 0] + backward_e [x_j = 0, x_k = 1]
//
// b_j = b_j⁺ − b_j⁻ is what the source supplies to j, or where it is negative, what the sink takes
// from j. Graphs are arbitrary: duplicate edges, isolated nodes and many components are fine. Of
// several minimum cuts the one with the fewest nodes on side 1 is found: those that the source
// still reaches when no more can flow, the intersection of the sides 1 of all minimum cuts.
//
// Boykov & Kolmogorov (2004), "An experimental comparison of min-cut/max-flow algorithms": two
// trees grow, of what the source reaches and of what reaches the sink; where they touch, flow is
// sent, and nodes that lost their parent look for another one. Distances to the roots carry time
// stamps (Kolmogorov 2003), which keeps the trees shallow and the searches short. Flow between
// neighbours is sent beforehand; and where paths are long, breadth-first waves of excess come
// between, as in preflow methods. There is no recursion.
//
// Rounding: a sum of flows that were rounded one by one is in no relation to a cut, so capacities
// become multiples of a quantum q once, q ≤ 2⁻⁶⁰ times the largest sum of capacities at a node, and
// everything after that is exact; every augmentation moves at least one quantum. A supply that no
// set of edges could carry decides its node alone, however small. Hence the cut costs at most
// (2n + m) q more than the minimum, and nothing if supplies and capacities are multiples of q, e.g.
// integers below 2⁵³.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/node_pair.h"
#include "trellis/base/types.h"

namespace trellis {

class MaxFlow {
 public:
  // Prepares for the cuts of this graph; instant if it is the one that was set before. Throws
  // UsageError for an edge with equal ends or with a node that does not exist, and for more than
  // 2³⁰ edges.
  void set_graph(Index num_nodes, std::span<const NodePair> edges);

  Index num_nodes() const { return nodes_.empty() ? 0 : nodes_.size() - 1; }
  Index num_edges() const { return edges_.size(); }

  // Finds the minimum cut and returns its cost, summed from the capacities as they are given.
  // Throws UsageError where a capacity is negative or something is not finite. Does not allocate
  // when it is repeated on the same graph.
  double solve(std::span<const double> supply, std::span<const double> forward,
               std::span<const double> backward);

  // Of the last solve:
  bool on_source_side(Index j) const { return nodes_[j].label > 0; }  // x_j
  // Whether x_j = 0 in all minimum cuts: the sink could still take what j supplied.
  bool on_sink_side(Index j) const { return nodes_[j].label < 0; }
  // What came to j, of its own supply and of others', and cannot go on (> 0), or what the sink
  // still takes from j (< 0). The flow is Σ_j b_j⁺ less the sum of all that came and cannot go on.
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
    // Distance to the source (> 0) or to the sink (< 0) in the tree that holds the node; 0: free.
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

  // The two trees are mirror images: the source's sends flow down to its leaves, the sink's up.
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
