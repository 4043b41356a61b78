// Quadratic assignments of words (Lacoste-Julien 2009, sec. 3.2.2, eq. 3.3; Lacoste-Julien, Taskar,
// Klein & Jordan 2006): sets of edges of a bipartite graph, at most D per node. Further edges of a
// node have increasing costs (eq. 3.2), and pairs of edges may increase the score.
//
//   s·z(y) = Σ_jk s_jk z_jk + Σ_n Σ_{2 ≤ d ≤ D} s_nd [n has at least d edges] + Σ_ab s_ab z_a z_b
//
// Parts, in this order, of E edges (sorted by left, then by right node) and I + J nodes, the left
// ones first:
//
//   edge e                     z_e = 1 where y has it                       part e
//   degree d = 2 … D of n      z_nd = 1 where n has at least d edges        E + n (D − 1) + (d − 2)
//   pair p = ab                z_p = z_a z_b                                E + (I + J)(D − 1) + p
//
// The scores of degrees must be ≤ 0 and must not increase with d, those of pairs ≥ 0; otherwise
// maximize, k_best and relax throw a UsageError that names the score. For weights these are sign
// constraints (Oracle::nonnegative).
//
// The problem is NP-hard. maximize and k_best are still exact, by branch and bound without a limit
// (solve/quadratic/quadratic_search.h), up to differences of about 1e-13 of the sum of all
// |scores|; the same scores always give the same output, without an edge that could be removed at
// no loss. Scores are rounded once (solve/vectors/exact_sum.h). search_within and k_best_within
// limit the number of subproblems and return a bound; LimitedSearch makes a structure from them.
//
// linear_program() is (3.3) without integrality: a relaxation, whose vertices may be fractional.
// RelaxedQuadraticMatching is the structure of that polytope.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/quadratic/edge_pair.h"
#include "trellis/solve/quadratic/quadratic_problem.h"
#include "trellis/solve/quadratic/quadratic_relaxation.h"
#include "trellis/solve/quadratic/quadratic_search.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/structure.h"

namespace trellis {

class QuadraticMatching {
 public:
  using Output = std::vector<std::uint32_t>;  // the edges that it has, ascending
  using Search = QuadraticSearch::Summary;
  struct Scratch {
    QuadraticSearch search;  // its summary() describes the last maximize
    QuadraticRelaxation relaxation;
    std::vector<Output> best;
  };
  struct Relaxation {
    double value = 0;
    Index fractional_edges = 0;
    Index programs = 0;  // solved by Clp because sweeps left a gap
  };
  static constexpr bool kSignedScores = true;    // see Structure
  static constexpr bool kRelaxedProgram = true;  // see Structure
  static constexpr Index kMostLinks = 16;

  // `edges` and `pairs` must outlive the structure and its copies. Throws UsageError if the edges
  // are not sorted, most_links is not 1 … 16, or a pair is not of two edges a < b or occurs twice.
  // This check sorts the pairs; a copy costs nothing: construct once and copy.
  QuadraticMatching(const MatchingEdges& edges, Index most_links, std::span<const EdgePair> pairs);

  Index num_left() const { return parts_.graph.rows; }
  Index num_right() const { return parts_.graph.columns; }
  Index num_edges() const { return parts_.num_edges(); }
  Index most_links() const { return parts_.most_links; }
  std::span<const EdgePair> pairs() const { return parts_.pairs; }
  Index num_parts() const { return parts_.num_parts(); }
  const QuadraticParts& parts() const { return parts_; }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  // The best output found within the limit. The bounds are equal if it is proved optimal.
  MaximumBounds search_within(Index most_nodes, std::span<const double> s, Scratch& scratch,
                              Output& y) const;
  // Returns an upper bound of the scores of outputs omitted because of the limit; −∞ if none were.
  double k_best_within(Index most_nodes, std::span<const double> s, Index k, Scratch& scratch,
                       std::vector<ScoredOutput<Output>>& best) const;
  // The value of the linear program, and a point that attains it.
  Relaxation relax(std::span<const double> s, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const { return quadratic_program(parts_); }
  // Throws UsageError if a score has the wrong sign.
  void require_signs(std::span<const double> s) const;

 private:
  QuadraticParts parts_;
};

static_assert(KBest<QuadraticMatching> && !Projector<QuadraticMatching>);

}  // namespace trellis
