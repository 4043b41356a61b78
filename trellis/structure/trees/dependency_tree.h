// Dependency trees (McDonald, Pereira, Ribarov & Hajič 2005): each word has one of its candidate
// arcs, such that all hang on the root, in any order of words. Parts are the arcs, in their order,
// z_p = 1 where arc p is taken; labels are parallel arcs.
//
//   maximize       maximum spanning arborescence, O(n²): solve/arborescences/dense_arborescence.h
//   k_best         Lawler's partition: solve/arborescences/k_best_arborescences.h
//   log_partition, entropy, sample
//                  matrix-tree theorem without subtractions, O(n³), for scores of any size:
//                  solve/arborescences/arborescence_sums.h
//   project        active trees: solve/polytopes/oracle_projection.h
//
// and O(A) in the number A of arcs. The polytope is that of Martins, Smith & Xing (2009): one arc
// for each word, and for each word k a flow of one unit from the root to k, within the arcs that
// are taken. With Roots::kOne exactly one word hangs on the root, which is a face of the other
// polytope.
//
// Scores of trees are rounded once (solve/vectors/exact_sum.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arborescence_sums.h"
#include "trellis/solve/arborescences/k_best_arborescences.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/structure/structure.h"
#include "trellis/structure/trees/dependency_arcs.h"

namespace trellis {

class DependencyTree {
 public:
  using Output = std::vector<std::uint32_t>;  // the arc of word m at [m − 1]
  struct Scratch {
    MaximumArborescence maximum;
    KBestArborescences k_best;
    std::vector<KBestArborescences::Result> best;
    ArborescenceSums sums;
    OracleProjectionScratch projection;
    std::vector<std::uint32_t> vertex;
  };

  // `arcs` must outlive the structure.
  DependencyTree(const DependencyArcs& arcs, Roots roots) : arcs_(&arcs), roots_(roots) {}

  const DependencyArcs& arcs() const { return *arcs_; }
  Roots roots() const { return roots_; }
  Index num_parts() const { return arcs_->size(); }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  // Where there is no tree y is empty.
  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  const DependencyArcs* arcs_;
  Roots roots_;
};

static_assert(KBest<DependencyTree> && Summer<DependencyTree> && Sampler<DependencyTree> &&
              Projector<DependencyTree>);

}  // namespace trellis
