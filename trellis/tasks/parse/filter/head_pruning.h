// Which heads of each word stay, by the scores of all candidate arcs: those whose marginal over all
// trees (matrix-tree theorem) is at least a share of the best one's, at most so many; and those of
// the best tree, so that there is one.
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
  Index max_heads = 12;       // of a word
  double prune_below = 2e-3;  // a head's marginal over the best one's
};

// Candidate arcs by word, with their scores, and memory that repeated calls reuse; one for each
// thread.
class HeadPruning {
 public:
  void begin();
  void add(Index head, double score) {
    heads_.push_back(static_cast<std::uint32_t>(head));
    scores_.push_back(score);
  }
  void end_word() { begin_.push_back(heads_.size()); }

  // The arcs that stay, sorted by modifier and then by head. `always`, of the size of the sentence
  // or empty: heads that stay anyhow. There is a tree of the candidates.
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
  std::vector<std::uint32_t> row_;   // the heads of a word that stay
  ArborescenceSums sums_;
  MaximumArborescence maximum_;
  ProjectiveTree::Scratch projective_;
};

}  // namespace trellis::parse
