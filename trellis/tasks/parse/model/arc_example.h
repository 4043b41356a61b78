// A sentence as training has it: its candidate arcs with their labels, the true tree among them,
// and the numbers of all features, so that an oracle neither hashes nor looks anything up.
//
// Numbers are local: the k-th of the distinct features of the sentence. So a slope is written in
// the order of the weights, without sorting, and a weight that many arcs share is fetched once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/arc_pair_graph.h"
#include "trellis/structure/dependency_arcs.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/labelled_arcs.h"
#include "trellis/tasks/parse/model/model_shape.h"

namespace trellis::parse {

// Lists of numbers, one after another.
struct NumberLists {
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> numbers;

  Index size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](Index list) const {
    return std::span(numbers).subspan(begin[list], begin[list + 1] - begin[list]);
  }
  void end_list() { begin.push_back(static_cast<std::uint32_t>(numbers.size())); }
};

struct ArcExample {
  explicit ArcExample(LabelledArcs labelled = {DependencyArcs(0, {}), {}})
      : arcs(std::move(labelled)) {}

  LabelledArcs arcs;
  std::vector<std::uint32_t> gold;  // the part of word m at [m − 1]; kNoPart where it is none

  std::vector<std::uint32_t> features;  // of arcs: ascending places in w
  NumberLists of_arc;                   // by arc: local numbers of these

  std::vector<std::uint32_t> rows;  // of labels: ascending rows of FeatureNumbers
  NumberLists of_pair;              // by arc: local numbers of these
  NumberLists of_modifier;          // by 3 (m − 1) + direction
  NumberLists of_head;              // by 3 h + direction

  // Of a second-order model: the pairs of arcs, and local numbers of `features` by pair.
  std::shared_ptr<const ArcPairGraph> graph;
  NumberLists of_arc_pair;

  Index num_parts() const {
    return arcs.parts.size() + (graph == nullptr ? 0 : graph->num_pairs());
  }

  static constexpr std::uint32_t kNoPart = ~std::uint32_t{0};
};

// The arcs are sorted by modifier and then by head. Labels and heads of the sentence, by number;
// those that no candidate has leave kNoPart.
ArcExample make_example(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                        const LabelSets& sets, const FeatureNumbers& numbers,
                        std::span<const std::uint32_t> heads, std::span<const std::uint32_t> labels,
                        const ModelShape& shape);

// The features of the true arcs of a sentence, and of their pairs where the order is 2.
void see_true_arcs(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                   std::span<const std::uint32_t> labels, const ModelShape& shape,
                   FeatureNumbers& numbers);

}  // namespace trellis::parse
