// The part model of a look of the filter (filter_stage.h): arcs without labels, with features that
// are hashed into few weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/filter_stage.h"

namespace trellis::parse {

struct FilterExample {
  DependencyArcs arcs;
  std::vector<std::uint32_t> gold;      // the arc of word m at [m − 1]
  std::vector<std::uint32_t> features;  // distinct weights, ascending
  // num_filter_features() for each arc: places among these.
  std::vector<std::uint32_t> of_arc;
};

// Reused from sentence to sentence; one for each thread.
struct FilterNumbering {
  explicit FilterNumbering(FilterStage stage) : place(num_filter_weights(stage), 0) {}
  std::vector<std::uint32_t> place;
};
// The arcs are sorted by modifier and then by head, and those to `heads` are among them.
template <FilterStage kStage>
FilterExample make_filter_example(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                                  std::span<const std::uint32_t> heads, FilterNumbering& numbering);

class FilterModel {
 public:
  using Structure = DependencyTree;
  struct Workspace {};

  // The examples must outlive the model.
  FilterModel(std::span<const FilterExample> examples, FilterStage stage, Roots roots)
      : examples_(examples),
        dimension_(num_filter_weights(stage)),
        each_(num_filter_features(stage)),
        roots_(roots) {}

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return dimension_; }
  double example_weight(Index) const { return 1; }
  DependencyTree structure(Index i) const { return {examples_[i].arcs, roots_}; }
  const std::vector<std::uint32_t>& gold(Index i) const { return examples_[i].gold; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_costs(Index i, double scale, std::span<double> s) const;  // 1 for each wrong head
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

 private:
  std::span<const FilterExample> examples_;
  Index dimension_;
  Index each_;  // features of an arc
  Roots roots_;
};

}  // namespace trellis::parse
