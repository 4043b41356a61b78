// The best set of links in a bipartite graph whose nodes may have several links, with a penalty for
// each further one (Lacoste-Julien 2009, sec. 3.2.1; the integer points of eq. 3.2):
//
//   max Σ_e s_e x_e − Σ_n f_n(Σ_{e∋n} x_e),   x ∈ {0, 1},   f_n(d) = Σ_{2≤c≤d} p_nc  for d ≤ D ,
//
// with penalties 0 ≤ p_n2 ≤ … ≤ p_nD, so that f_n is convex. It is a min-cost flow (fig. 3.1(b)):
// from outside into a left node at the cost of its next link, along an edge for −s_e, and out of
// the right node at the cost of its next link. Prices u of left and v of right nodes prove the
// optimum,
//
//   min Σ_e max(0, s_e − u_i − v_k) + Σ_n f*_n(price of n),     f*(p) = max_{0≤d≤D} p d − f(d) :
//
// under them no arc of the residual network has a negative cost. Left nodes are added one by one.
// Each takes links along the cheapest path to a right node with free capacity, or to a left node
// that gains by losing a link, while the score increases (Dijkstra's algorithm with prices; Edmonds
// & Karp 1972). The same search finds the cheapest way to flip an edge, for k_best_fertility.h.
//
// Time: O(L E log E) for L links, but most searches are local: 20 × 20 nodes take microseconds.
// Exact up to rounding, as in assignment.h. Of several best sets it always returns the same one,
// and never one with a link that could be removed without a loss.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

struct FertilityProblem {
  BipartiteGraph graph;  // a list of edges
  Index most_links = 1;  // D ≥ 1
  std::span<const double> edges;
  // −p_nd at n (D − 1) + d − 2, for left nodes and then right ones: ≤ 0, and not increasing with d.
  std::span<const double> fertilities;

  Index num_nodes() const { return graph.rows + graph.columns; }
  // The score of the d-th link of a node, d ≥ 1: −p_nd, and 0 for the first.
  double fertility(Index node, Index d) const {
    return d < 2 ? 0.0 : fertilities[node * (most_links - 1) + d - 2];
  }
};

// Reuses its memory in repeated calls; use one object per thread. The arrays of a problem must
// outlive the work on it.
class FertilityFlow {
 public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void solve(const FertilityProblem& problem);

  std::span<const std::uint8_t> taken() const { return taken_; }  // by edge: 1 where linked
  std::span<const double> prices() const { return prices_; }      // by node: u, then v
  double score() const;                                           // of what is taken, rounded once
  void add_score(ExactSum& sum) const;

  // Restores an earlier optimum, as taken() and prices() returned it.
  void resume(const FertilityProblem& problem, std::span<const std::uint8_t> taken,
              std::span<const double> prices);
  // Finds the best link set in which `edge` is flipped and all edges before it are unchanged.
  // Returns whether there is one that loses less than `limit`, up to rounding.
  bool find_exchange(Index edge, double limit);
  // Adds the change of the score by the last exchange found.
  void add_exchange(Index edge, ExactSum& sum) const;
  // Applies the exchange. The prices then prove that it is best for the edges fixed so far.
  void make_exchange(Index edge);

 private:
  struct Label {
    double distance = kInfinity;
    std::uint32_t origin = 0;  // the node before
    std::uint32_t edge = 0;    // to here, unless one of the two is the outside
  };
  struct Entry {
    double distance;
    std::uint32_t node;
  };
  // Of equally near nodes the first: the order of entries does not depend on other entries.
  struct Farther {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.distance != b.distance ? a.distance > b.distance : a.node > b.node;
    }
  };

  void set_problem(const FertilityProblem& problem);
  void serve(Index left);
  void leave_out_idle_links();
  void add_link(Index edge);
  void remove_link(Index edge);
  Index right_node(Index edge) const { return left_nodes_ + problem_.graph.column[edge]; }
  // The penalty of the next link of a node, and of its last one; infinite if there is no such link.
  double next_penalty(Index node) const;
  double last_penalty(Index node) const;

  bool search(Index source, Index target, double limit);
  void scan_left(Index node, double distance);
  void scan_right(Index node, double distance);
  void scan_outside(double distance);
  void reach_left(Index node, double distance, Index origin, Index edge);
  void reach_right(Index node, double distance, Index origin, Index edge);
  bool reach(Index node, double distance, Index origin, Index edge);
  bool pop(Entry& nearest);
  void move_prices();
  void make_path(Index source);

  FertilityProblem problem_;
  Index left_nodes_ = 0;
  Index outside_ = 0;  // the node that flow comes from and goes to
  std::vector<std::uint8_t> taken_;
  std::vector<double> prices_;
  std::vector<std::uint32_t> left_of_;   // by edge
  std::vector<std::uint32_t> degree_;    // by node
  std::vector<std::uint32_t> links_of_;  // D places for each right node: the edges taken
  // State of the search.
  Index first_free_ = 0;  // edges before it stay as they are
  Index target_ = 0;
  double end_ = 0;  // the distance of the target, or the limit
  std::vector<Label> labels_;
  std::vector<std::uint32_t> touched_;
  std::vector<Entry> heap_;
};

}  // namespace trellis
