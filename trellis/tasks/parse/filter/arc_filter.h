// Which arcs of a sentence are worth a closer look: a first parser of few features, tags alone and
// hashed into a table that fits a cache, scores all n² of them and finds their marginals by the
// matrix-tree theorem. Of each word's heads those stay whose marginal is at least a share of the
// best one's, at most so many; and the arcs of the filter's best tree, so that there is a tree.
//
// Cf. the pruners of Carreras, Collins & Koo (2008, sec. 5) and Martins, Smith & Xing (2009). What
// it loses is told by filter_recall() (filter_training.h). O(n³) time, of which a sentence of 20
// words takes some ten microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arborescence_sums.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"
#include "trellis/structure/dependency_arcs.h"
#include "trellis/structure/projective_tree.h"
#include "trellis/tasks/parse/features/arc_sums.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

struct FilterOptions {
  bool prune = true;
  Index max_heads = 12;       // of a word
  double prune_below = 2e-3;  // a head's marginal over the best one's
};

// Whether trees may have crossing arcs, and how many roots.
struct TreeShape {
  Roots roots = Roots::kAny;
  bool projective = false;
};

class ArcFilter {
 public:
  // One for each thread.
  struct Scratch {
    ArcSums<TemplateTable::kFilter> features;
    std::vector<Index> begin;  // of all n² arcs, n for each word
    std::vector<std::uint32_t> heads;
    std::vector<double> scores, marginals;
    std::vector<std::uint32_t> tree;  // its arcs
    std::vector<std::uint32_t> row;   // the arcs of a word that stay
    ArborescenceSums sums;
    MaximumArborescence maximum;
    ProjectiveTree::Scratch projective;
  };

  ArcFilter() = default;
  // kFilterWeights of them, which must outlive the filter. Throws UsageError for options that are
  // none.
  ArcFilter(std::span<const float> weights, const FilterOptions& options, const TreeShape& shape);

  const FilterOptions& options() const { return options_; }

  // The arcs that stay, sorted by modifier and then by head. `always`, of the size of the sentence
  // or empty: heads that stay anyhow.
  void keep(const SentenceAtoms& atoms, std::span<const std::uint32_t> always, Scratch& scratch,
            std::vector<DependencyArc>& arcs) const;

 private:
  void score(const SentenceAtoms& atoms, Scratch& scratch) const;
  void find_tree(Index n, Scratch& scratch) const;
  void keep_of_word(Index n, Index m, Scratch& scratch) const;

  std::span<const float> weights_;
  FilterOptions options_;
  TreeShape shape_;
};

}  // namespace trellis::parse
