// Links between the words of two sentences; a word may have several links, at a penalty (Lacoste-
// Julien, Taskar, Klein & Jordan 2006; Lacoste-Julien 2009, sec. 3.2.1). Each node of a bipartite
// graph has at most D links. The polytope is that of (3.2): 0 ≤ z ≤ 1, and
//
//   Σ_k z_jk ≤ 1 + Σ_d z_dj  for each left node j,     Σ_j z_jk ≤ 1 + Σ_d z_dk  for each right k ,
//
// where z_dn = 1 means that node n has at least d links, d = 2 … D. Parts, with E edges by left and
// then right node, I left nodes and J right ones:
//
//   edge e           z_jk     part e
//   left node i      z_di     part E + i (D−1) + d−2
//   right node j     z_dj     part E + (I + j)(D−1) + d−2
//
// The scores of fertilities must be ≤ 0 and must not increase with d (the penalties −s increase: f
// is convex); otherwise maximize and k_best throw UsageError. For weights this is a sign constraint
// (Oracle::nonnegative) on features that are ≥ 0 and do not decrease with d. For such scores the
// best points of Z are outputs; for others, z_dn = 1 with fewer than d links is a vertex, too. With
// D = 1 there are no such parts, and this is a partial Matching.
//
// maximize: a min-cost flow (solve/matchings/fertility_flow.h); the output has no link that could
// be removed without a loss, and of equally good outputs it is always the same. k_best: Lawler's
// partition (solve/matchings/k_best_fertility.h). project: solve/polytopes/polytope_projection.h.
// There are no sums, as for all matchings.
//
// Scores are rounded once (solve/vectors/exact_sum.h), so the score of the best output is the
// maximum, to the bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/bipartite.h"
#include "trellis/solve/matchings/fertility_flow.h"
#include "trellis/solve/matchings/k_best_fertility.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/structure.h"

namespace trellis {

class FertilityMatching {
 public:
  using Output = std::vector<std::uint32_t>;  // the edges that it has, ascending
  struct Scratch {
    FertilityFlow flow;
    KBestFertility k_best;
    std::vector<KBestFertility::Result> best;
    ProjectionCache projections;
    std::vector<std::uint32_t> projection_key;
  };
  static constexpr bool kSignedScores = true;  // see Structure
  static constexpr Index kMostLinks = 16;

  // `edges`, which must outlive the structure, must be sorted by left and then by right node;
  // otherwise, and unless 1 ≤ most_links ≤ kMostLinks, throws UsageError.
  FertilityMatching(const MatchingEdges& edges, Index most_links);

  Index num_left() const { return graph_.rows; }
  Index num_right() const { return graph_.columns; }
  Index num_edges() const { return graph_.column.size(); }
  Index most_links() const { return most_links_; }
  Index num_parts() const { return num_edges() + num_nodes() * (most_links_ - 1); }
  // Means that this node has at least d links, 2 ≤ d ≤ D.
  Index left_part(Index i, Index d) const { return fertility_part(i, d); }
  Index right_part(Index j, Index d) const { return fertility_part(num_left() + j, d); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  // For any v, of any signs.
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  Index num_nodes() const { return num_left() + num_right(); }
  Index fertility_part(Index node, Index d) const {
    return num_edges() + node * (most_links_ - 1) + d - 2;
  }
  // Calls visit(edge, left node, right node) for each edge of y; the left nodes come first.
  template <class Visit>
  void each_link(const Output& y, const Visit& visit) const;
  FertilityProblem problem(std::span<const double> s) const;  // throws UsageError for bad scores

  BipartiteGraph graph_;
  Index most_links_;
};

static_assert(KBest<FertilityMatching> && Projector<FertilityMatching>);

}  // namespace trellis
