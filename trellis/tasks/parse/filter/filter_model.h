// The part model of the filter: arcs without labels, all of them, with features that are hashed
// into few weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/structure/dependency_arcs.h"
#include "trellis/structure/dependency_tree.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

inline constexpr int kFilterBits = 17;
inline constexpr Index kFilterWeights = Index{1} << kFilterBits;

constexpr std::uint32_t filter_weight(std::uint64_t fingerprint) {
  return static_cast<std::uint32_t>(fingerprint >> (64 - kFilterBits));
}

struct FilterExample {
  DependencyArcs arcs;                  // every word on every other, and on the root
  std::vector<std::uint32_t> gold;      // the arc of word m at [m − 1]
  std::vector<std::uint32_t> features;  // distinct weights, ascending
  // kFilterTemplates.size() for each arc: places among these.
  std::vector<std::uint32_t> of_arc;
};

// Reused from sentence to sentence; one for each thread.
struct FilterNumbering {
  std::vector<std::uint32_t> place = std::vector<std::uint32_t>(kFilterWeights, 0);
};
FilterExample make_filter_example(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                                  FilterNumbering& numbering);

class FilterModel {
 public:
  using Structure = DependencyTree;
  struct Workspace {};

  // The examples must outlive the model.
  FilterModel(std::span<const FilterExample> examples, Roots roots)
      : examples_(examples), roots_(roots) {}

  Index num_examples() const { return examples_.size(); }
  Index dimension() const { return kFilterWeights; }
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
  Roots roots_;
};

}  // namespace trellis::parse
