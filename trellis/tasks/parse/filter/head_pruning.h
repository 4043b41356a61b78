// Prunes the heads of each word by the scores of all candidate arcs. A head stays if its marginal
// over all trees (matrix-tree theorem) is at least a given share of the best one's, up to a maximum
// number of heads; the heads of the best tree always stay, so that there is a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arborescence_sums.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/projective_tree.h"

namespace trellis::parse {

// Whether trees may have crossing arcs, and how many roots.
struct TreeShape {
  Roots roots = Roots::kAny;
  bool projective = false;
};

struct PruningLimits {
  Index max_heads = 12;       // per word
  double prune_below = 2e-3;  // least marginal of a head, relative to the best one's
};

// Candidate arcs by word with their scores, and memory that repeated calls reuse; one for each
// thread.
class HeadPruning {
 public:
  void begin();
  void add(Index head, double score) {
    heads_.push_back(static_cast<std::uint32_t>(head));
    scores_.push_back(score);
  }
  void end_word() { begin_.push_back(heads_.size()); }

  // The remaining arcs, sorted by modifier and then by head. `always`, of the size of the sentence
  // or empty: heads that are never pruned. The candidates must contain a tree.
  void prune(const PruningLimits& limits, const TreeShape& shape,
             std::span<const std::uint32_t> always, std::vector<DependencyArc>& arcs);

 private:
  Index words() const { return begin_.size() - 1; }
  void find_tree(const TreeShape& shape);
  void keep_of_word(const PruningLimits& limits, Index m);

  std::vector<Index> begin_;  // word m's arcs are begin_[m − 1] … begin_[m] − 1
  std::vector<std::uint32_t> heads_;
  std::vector<double> scores_, marginals_;
  std::vector<std::uint32_t> tree_;  // its arcs
  std::vector<std::uint32_t> row_;   // remaining heads of a word
  ArborescenceSums sums_;
  MaximumArborescence maximum_;
  ProjectiveTree::Scratch projective_;
};

}  // namespace trellis::parse
