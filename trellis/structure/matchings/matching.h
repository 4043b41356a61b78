// Bipartite matchings (Taskar, Lacoste-Julien & Jordan 2006; sec. 2.2.3): part p is the edge p
// between a left and a right node, z_p(y) = 1 if y contains it, and each node has at most one edge.
// The polytope is (2.6),
//
//   z ≥ 0,   Σ_k z_jk ≤ 1 for each left node j,   Σ_j z_jk ≤ 1 for each right node k ,
//
// whose vertices are the matchings; with Cover::kPerfect the sums are 1 on the smaller side, and on
// both sides if they have the same size. The graph is complete, with part j·n_right + k, or has the
// edges of a list, in its order.
//
// maximize: an assignment (solve/matchings/assignment.h); a partial matching takes no edge with
// score ≤ 0, and of equally good matchings the result is always the same. project:
// solve/matchings/matching_projection.h. k_best: solve/matchings/k_best_assignment.h (Murty 1968).
// There are no sums: to count perfect matchings is #P-complete (Valiant 1979).
//
// Scores are rounded once (solve/vectors/exact_sum.h), so the score of the best output is the
// maximum, to the bit. If the list of edges has no perfect matching, maximize leaves y empty.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/assignment.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/solve/matchings/k_best_assignment.h"
#include "trellis/solve/matchings/matching_projection.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/structure.h"

namespace trellis {

// The edges of a graph that is not complete, in the order of their parts.
class MatchingEdges {
 public:
  struct Edge {
    std::uint32_t left;
    std::uint32_t right;
  };

  // Throws UsageError for an edge with an unknown node, and for a repeated edge.
  MatchingEdges(Index num_left, Index num_right, std::span<const Edge> edges);

  Index num_left() const { return begin_.size() - 1; }
  Index num_right() const { return num_right_; }
  // By left node, then by right node.
  BipartiteGraph graph() const { return {num_left(), num_right_, begin_, right_}; }
  // The part of each edge of the graph; empty if part k is edge k.
  std::span<const Index> parts() const { return parts_; }

 private:
  Index num_right_;
  std::vector<Index> begin_;
  std::vector<std::uint32_t> right_;
  std::vector<Index> parts_;
};

class Matching {
 public:
  using Output = std::vector<Label>;  // for each left node its right node, or kNoLabel
  struct Scratch {
    AssignmentSolver assignment;
    MatchingProjector projector;
    KBestAssignment k_best;
    std::vector<KBestAssignment::Result> best;
    std::vector<double> weights, nearest;  // by edge of the graph, if that is not by part
  };

  // All pairs. Throws UsageError if a side has 2³¹ nodes or more.
  Matching(Index num_left, Index num_right, Cover cover = Cover::kPartial);
  // `edges` must outlive the structure.
  explicit Matching(const MatchingEdges& edges, Cover cover = Cover::kPartial);

  Index num_left() const { return graph_.rows; }
  Index num_right() const { return graph_.columns; }
  Cover cover() const { return cover_; }
  Index num_parts() const { return graph_.num_edges(); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  // Throws UsageError if there is no perfect matching, because then the polytope is empty.
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;
  bool faces_by_zeros() const { return covers_left() && covers_right(); }  // see Structure

 private:
  static constexpr Index kNoEdge = static_cast<Index>(-1);

  bool covers_left() const { return cover_ == Cover::kPerfect && num_left() <= num_right(); }
  bool covers_right() const { return cover_ == Cover::kPerfect && num_right() <= num_left(); }
  // The edge of the graph; kNoEdge if there is no such edge.
  Index find_edge(Index left, Label right) const;
  Index part(Index edge) const { return parts_.empty() ? edge : parts_[edge]; }
  // Scores by edges of the graph.
  std::span<const double> weights(std::span<const double> s, std::vector<double>& memory) const;

  BipartiteGraph graph_;
  std::span<const Index> parts_;
  Cover cover_;
};

}  // namespace trellis
