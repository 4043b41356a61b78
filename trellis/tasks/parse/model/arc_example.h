// A sentence in training: its candidate arcs with their labels, including the true tree, and the
// numbers of all features, so that an oracle neither hashes nor searches.
//
// Numbers are local: feature k is the k-th of the sentence's distinct features. So a slope is
// written in the order of the weights, without sorting, and an oracle reads a shared weight once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/number_lists.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/labelled_arcs.h"
#include "trellis/tasks/parse/model/model_shape.h"

namespace trellis::parse {

struct ArcExample {
  explicit ArcExample(LabelledArcs labelled = {DependencyArcs(0, {}), {}})
      : arcs(std::move(labelled)) {}

  LabelledArcs arcs;
  std::vector<std::uint32_t> gold;  // the part of word m at [m − 1]; kNoPart: not a part

  std::vector<std::uint32_t> features;  // of arcs: ascending positions in w
  NumberLists of_arc;                   // by arc: local numbers in `features`

  std::vector<std::uint32_t> rows;  // of labels: ascending rows of FeatureNumbers
  NumberLists of_pair;              // by arc: local numbers in `rows`
  NumberLists of_modifier;          // by 3 (m − 1) + direction
  NumberLists of_head;              // by 3 h + direction

  // For a second-order model: the pairs of arcs, and local numbers of `features` by pair.
  std::shared_ptr<const ArcPairGraph> graph;
  std::shared_ptr<const ForestCover> cover;  // of the graph, for reweighted sums
  NumberLists of_arc_pair;

  Index num_parts() const {
    return arcs.parts.size() + (graph == nullptr ? 0 : graph->num_pairs());
  }

  static constexpr std::uint32_t kNoPart = ~std::uint32_t{0};
};

// Makes examples and reuses its memory: one for each thread.
class ExampleBuilder {
 public:
  // Both must outlive the object.
  ExampleBuilder(const LabelSets& sets, const FeatureNumbers& numbers, const ModelShape& shape);

  // The arcs are sorted by modifier and then by head. `heads` and `labels` are the numbers of the
  // true tree; those without a candidate become kNoPart.
  ArcExample make(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                  std::span<const std::uint32_t> heads, std::span<const std::uint32_t> labels);

 private:
  void fetch(ArcFeatures& features, const DependencyArc& arc);
  void add_arc(ArcExample& example);
  void add_pairs(const SentenceAtoms& atoms, ArcExample& example) const;
  template <TemplateTable kTable>
  void add_rows(const ArcFeatures& features, NumberLists& lists) const;
  static std::vector<std::uint32_t> make_local(std::span<NumberLists* const> families,
                                               std::vector<std::uint32_t>& place);

  const LabelSets* sets_;
  const FeatureNumbers* numbers_;
  ModelShape shape_;
  std::vector<std::uint64_t> arc_ahead_, pair_ahead_;  // fingerprints of the next arc
  std::vector<std::uint64_t> arc_here_, pair_here_;
  // By number: 0, or the position among the distinct ones of the sentence.
  std::vector<std::uint32_t> arc_place_, row_place_;
};

// Counts the features of the true arcs of a sentence, and of their pairs if the order is 2.
void see_true_arcs(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                   std::span<const std::uint32_t> labels, const ModelShape& shape,
                   FeatureNumbers& numbers);

}  // namespace trellis::parse
