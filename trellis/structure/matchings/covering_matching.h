// Matchings of any bipartite graph that cover its smaller side, with sums: a generalisation of
// Permutation. Parts and outputs are those of a Matching with Cover::kPerfect.
//
// Let n ≤ m be the sizes of the sides. The graph is extended to a complete one of m by m nodes:
//
//   * The smaller side gets m − n more nodes, whose edges score 0. A matching that covers the
//     smaller side has (m − n)! completions, all with the same score: log Z is too large by
//     log (m − n)!, and so is the entropy; marginals are those of the graph.
//   * A pair without an edge scores b = min − m (max − min) − 1000 − log m!, where the extremes are
//     those of all scores, including the 0 of the added nodes. One such pair costs a matching more
//     than all its other pairs can gain: a matching without such a pair scores at least
//     1000 + log m! more. All matchings with such a pair together weigh less than e^−1000 of any
//     matching without one, which is negligible in a double. So sums are exact up to rounding if
//     the graph has a covering matching; otherwise they are −∞.
//
// The limits of Permutation apply to m: sums to m = 24, draws for every m. If no matching covers
// the smaller side, maximize and sample leave y empty.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/matchings/permutation.h"
#include "trellis/structure/structure.h"

namespace trellis {

class CoveringMatching {
 public:
  using Output = Matching::Output;  // for each left node its right node, or kNoLabel
  struct Scratch {
    Matching::Scratch matching;
    Permutation::Scratch permutation;
    std::vector<double> scores, marginals;  // of the complete graph
    std::vector<Permutation::Output> drawn;
    Output best;
  };

  // `edges`, if given, must outlive the structure and have sides of these sizes; nullptr: all
  // pairs.
  CoveringMatching(Index num_left, Index num_right, const MatchingEdges* edges = nullptr);

  Index num_left() const { return matching_.num_left(); }
  Index num_right() const { return matching_.num_right(); }
  Index num_parts() const { return matching_.num_parts(); }
  // Whether there are sums: log_partition and entropy.
  bool has_sums() const { return square_.has_sums(); }

  bool legal(const Output& y) const { return matching_.legal(y); }
  void indicator(const Output& y, std::span<double> z) const { matching_.indicator(y, z); }
  double score(std::span<const double> s, const Output& y) const { return matching_.score(s, y); }

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
    return matching_.maximize(s, scratch.matching, y);
  }
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const {
    matching_.k_best(s, k, scratch.matching, best);
  }
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const {
    return matching_.project(v, scratch.matching, z);
  }
  LinearProgram linear_program() const { return matching_.linear_program(); }
  bool faces_by_zeros() const { return matching_.faces_by_zeros(); }  // see Structure

  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  // As in Permutation; a UsageError if no matching covers the smaller side.
  LogSumEstimate sample_and_estimate(std::span<const double> s, Index draws, Random& random,
                                     Scratch& scratch, std::vector<Output>& outputs) const;

 private:
  // Calls visit(part, its position in the complete graph).
  template <class Visit>
  void for_each_part(const Visit& visit) const;
  bool plain() const { return edges_ == nullptr && num_left() == num_right(); }
  // y ← the restriction of a permutation of the complete graph to this graph.
  void restrict_to_graph(const Permutation::Output& whole, Output& y) const;
  // Computes the complete graph's scores; false if the graph has no covering matching.
  bool complete(std::span<const double> s, Scratch& scratch) const;

  Matching matching_;
  Permutation square_;
  const MatchingEdges* edges_;
  double log_completions_;  // log (m − n)!
  double far_below_;        // 1000 + log m!
};

}  // namespace trellis
