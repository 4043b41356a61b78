// Quadratic assignment of word alignment (Lacoste-Julien 2009, sec. 3.2.2, eq. 3.3, with the
// fertilities of eq. 3.2): choose edges z_e ∈ {0, 1} of a bipartite graph,
//
//   max  Σ_e s_e z_e + Σ_{p = ab} s_p z_a z_b − Σ_n Σ_{d ≤ deg_n(z)} c_nd,     deg_n(z) ≤ C_n
//
// with s_p ≥ 0, and 0 ≤ c_n1 ≤ c_n2 ≤ … the cost of each further edge of the node n. This is the
// problem as the search uses it, including subproblems in which some edges are decided.
//
// In addition to the scores it has a point of the dual of its linear program: the score of an edge
// is divided among the edge itself, its two nodes and its pairs,
//
//   s_e = r_e + Σ_{n ∋ e} v_ne + Σ_{p ∋ e} v_pe ,
//
// and for all shares, the sum of the separate maxima is an upper bound:
//
//   Σ_e max(0, r_e) + Σ_n max_{|S| ≤ C_n} Σ_{e ∈ S} v_ne − Σ_{d ≤ |S|} c_nd
//                   + Σ_{p = ab} max(0, v_pa, v_pb, v_pa + v_pb + s_p) .
//
// The minimum over all shares is the value of the linear program (quadratic_sweeps.h minimises).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/solve/quadratic/edge_pair.h"

namespace trellis {

// The parts of a quadratic matching: the edges of the graph; then, for each left and then each
// right node, "has at least d edges" for d = 2 … most_links; then the pairs.
struct QuadraticParts {
  BipartiteGraph graph;  // with a list of edges
  Index most_links = 1;
  std::span<const EdgePair> pairs;

  Index num_edges() const { return graph.column.size(); }
  Index num_nodes() const { return graph.rows + graph.columns; }
  Index first_pair() const { return num_edges() + num_nodes() * (most_links - 1); }
  Index num_parts() const { return first_pair() + pairs.size(); }
  // Left nodes come first.
  Index left_node(Index edge) const {
    const auto after = std::upper_bound(graph.begin.begin(), graph.begin.end(), edge);
    return static_cast<Index>(after - graph.begin.begin()) - 1;
  }
  Index right_node(Index edge) const { return graph.rows + graph.column[edge]; }
  // d = 2 … most_links
  Index degree_part(Index node, Index d) const {
    return num_edges() + node * (most_links - 1) + (d - 2);
  }
};

enum class EdgeState : std::uint8_t { kFree, kIn, kOut };

struct QuadraticProblem {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> names;                  // by edge: which of the graph it is
  std::vector<double> scores;                        // by edge
  std::vector<std::array<std::uint32_t, 2>> nodes;   // by edge: its left and its right node
  std::vector<std::array<std::uint32_t, 2>> places;  // by edge: its positions at these nodes
  // Node n has the places node_begin[n] … node_begin[n + 1], each with an edge (ascending) and its
  // share v_ne; it may take capacity[n] edges, at the costs steps[step_begin[n]], …
  std::vector<std::uint32_t> node_begin, place_edge, capacity, step_begin;
  std::vector<double> place_share;
  std::span<const double> steps;
  // Pair p has the slots 2p and 2p + 1, one for each of its edges, with the shares v_pa and v_pb.
  // Edge e has the slots edge_slots[slot_begin[e]] … edge_slots[slot_begin[e + 1]].
  std::vector<std::uint32_t> slot_edge, slot_begin, edge_slots;
  std::vector<double> pair_scores, slot_share;

  Index num_edges() const { return scores.size(); }
  Index num_nodes() const { return capacity.size(); }
  Index num_pairs() const { return pair_scores.size(); }
  Index degree(Index node) const { return node_begin[node + 1] - node_begin[node]; }
  double step(Index node, Index taken) const { return steps[step_begin[node] + taken]; }
  std::uint32_t partner(std::uint32_t slot) const { return slot_edge[slot ^ 1U]; }
};

// The whole problem, with all shares 0. `steps` holds the costs and must outlive the problem and
// its subproblems. It omits pairs with score 0 and pairs of edges that no output contains together;
// `relaxed` keeps the latter: then the dual is that of (3.3) as written.
void build_problem(const QuadraticParts& parts, std::span<const double> s, bool relaxed,
                   std::vector<double>& steps, QuadraticProblem& problem);

// Removes decided edges from a problem.
class QuadraticReduction {
 public:
  // rest ← the problem of the free edges, with their shares. Adds the score of the edges that are
  // in to `gained`, and their names to `taken`. A full node excludes its other edges. False if a
  // node would get more edges than its capacity. `rest` and `problem` must be different objects.
  bool reduce(const QuadraticProblem& problem, std::span<EdgeState> states, double& gained,
              std::vector<std::uint32_t>& taken, QuadraticProblem& rest);

 private:
  bool fill_nodes(const QuadraticProblem& problem, std::span<EdgeState> states, double& gained);
  void keep_edges(const QuadraticProblem& problem, std::span<const EdgeState> states,
                  QuadraticProblem& rest);
  void keep_nodes(const QuadraticProblem& problem, QuadraticProblem& rest);
  double keep_pairs(const QuadraticProblem& problem, std::span<const EdgeState> states,
                    QuadraticProblem& rest) const;

  std::vector<std::uint32_t> used_;      // by node: edges that it has
  std::vector<std::uint32_t> new_edge_;  // by edge: its number in the rest
  std::vector<std::uint32_t> new_node_;
};

// Values that differ by at most this count as equal: 1e-13 of the sum of all |scores|.
double value_tolerance(std::span<const double> s);

// Lists slots by edges, from slot_edge.
void list_slots(QuadraticProblem& problem);

}  // namespace trellis
