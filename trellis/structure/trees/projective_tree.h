// Projective dependency trees over candidate arcs: every word 1 … n of a sentence hangs on another
// word or on the root, position 0, and no two arcs cross when they are drawn above the sentence; in
// other words, each head and its descendants stand side by side. Parts are the arcs, in their
// order; parallel arcs are the labels of one (dependency_arcs.h). s·z(y) = Σ_m s[y_m].
//
// By Eisner's algorithm (solve/arborescences/projective_spans.h), in O(n³): maximize,
// log_partition, entropy and sample; k_best adds O(k · n · log) in the worst case, for it
// enumerates lazily (Huang & Chiang 2005, Algorithm 3). Derivations are unique, so the k best are
// different trees. Each word's best arc is taken off before sums; they are plain sums where these
// keep their digits and run in the log domain elsewhere, safe for part scores of ±1e9.
//
// Ties: from the root down, an item goes to its smallest furthest dependent, or its smallest
// boundary, and an arc to the first of its parallel ones.
//
// project: a nearest point by an active set of trees (solve/polytopes/oracle_projection.h).
// linear_program: the flows through Eisner's chart, O(n³) auxiliary variables, whose projection to
// the arcs is the convex hull of the trees (solve/arborescences/tree_polytopes.cc).
//
// Without words there is one tree, without arcs. Where no tree is possible, maximize and sample
// leave y empty, and marginals and projections are 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/structure/structure.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/projective_tree_scratch.h"

namespace trellis {

class ProjectiveTree {
 public:
  using Output = std::vector<std::uint32_t>;  // the arc (part) of word m at [m − 1]
  using Scratch = ProjectiveTreeScratch;

  // `arcs` must outlive the structure.
  ProjectiveTree(const DependencyArcs& arcs, Roots roots) : arcs_(&arcs), roots_(roots) {}

  const DependencyArcs& arcs() const { return *arcs_; }
  Roots roots() const { return roots_; }
  Index num_parts() const { return arcs_->size(); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  class KBestSearch;
  struct Parallel {
    Index begin, end;  // parts
  };

  // The arcs from head to modifier; none is an empty range.
  Parallel parallel(Index head, Index modifier) const;

  // projective_tree.cc
  bool fold(const Output& y, const double* s, double& score) const;
  double fill_max(std::span<const double> s, ProjectiveSpans& spans) const;
  Index best_part(std::span<const double> s, const ProjectiveSpans& spans, Index head,
                  Index modifier) const;

  const DependencyArcs* arcs_;
  Roots roots_;
};

}  // namespace trellis
