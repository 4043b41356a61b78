// Selects candidate arcs. A first parser with few features (tags alone, hashed into a table that
// fits a cache) scores all n² arcs (filter_stage.h) and prunes heads by their marginals
// (head_pruning.h). If pairs of arcs are scored, whose number grows with the square of the
// candidates, a second parser that uses words prunes the remaining arcs.
//
// Cf. the pruners of Carreras, Collins & Koo (2008, sec. 5) and Martins, Smith & Xing (2009).
// filter_recall() (filter_training.h) measures the loss. O(n³) time; a sentence of 20 words takes
// some ten microseconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/tasks/parse/features/arc_sums.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/filter_stage.h"
#include "trellis/tasks/parse/filter/head_pruning.h"

namespace trellis::parse {

struct FilterOptions {
  bool prune = true;
  PruningLimits limits;
  // Limits of the first stage if there is a second one, which then has the limits above.
  static constexpr PruningLimits kWide{16, 2e-4};
};

// By FilterStage; those of kWords may be empty, and then there is one stage.
struct FilterWeights {
  std::span<const float> tags, words;
};

class ArcFilter {
 public:
  // One for each thread.
  struct Scratch {
    ArcSums<filter_table(FilterStage::kTags)> tags;
    ArcSums<filter_table(FilterStage::kWords)> words;
    HeadPruning pruning;
  };

  ArcFilter() = default;
  // The weights must outlive the filter. Throws UsageError for invalid options.
  ArcFilter(const FilterWeights& weights, const FilterOptions& options, const TreeShape& shape);

  const FilterOptions& options() const { return options_; }
  bool looks_twice() const { return !weights_.words.empty(); }

  // The remaining arcs, sorted by modifier and then by head. `always`, of the size of the sentence
  // or empty: heads that are never pruned.
  void keep(const SentenceAtoms& atoms, std::span<const std::uint32_t> always, Scratch& scratch,
            std::vector<DependencyArc>& arcs) const;

 private:
  void score_all(const SentenceAtoms& atoms, Scratch& scratch) const;
  void score(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
             Scratch& scratch) const;

  FilterWeights weights_;
  FilterOptions options_;
  TreeShape shape_;
};

}  // namespace trellis::parse
