// A sentence as training has it: its candidate arcs with their labels, the true tree among them,
// and the numbers of all features, so that an oracle neither hashes nor looks anything up.
//
// Numbers are local: the k-th of the distinct features of the sentence. So a slope is written in
// the order of the weights, without sorting, and a weight that many arcs share is fetched once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/dependency_arcs.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/labelled_arcs.h"

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
  // Numbers become places among the distinct ones, which are returned in ascending order.
  std::vector<std::uint32_t> make_local();
};

struct ArcExample {
  LabelledArcs arcs;
  std::vector<std::uint32_t> gold;  // the part of word m at [m − 1]; kNoPart where it is none

  std::vector<std::uint32_t> features;  // of arcs: ascending places in w
  NumberLists of_arc;                   // by arc: local numbers of these

  std::vector<std::uint32_t> rows;  // of labels: ascending rows of FeatureNumbers
  NumberLists of_pair;              // by arc: local numbers of these
  NumberLists of_modifier;          // by 3 (m − 1) + direction
  NumberLists of_head;              // by 3 h + direction

  static constexpr std::uint32_t kNoPart = ~std::uint32_t{0};
};

// The arcs are sorted by modifier and then by head. Labels and heads of the sentence, by number;
// those that no candidate has leave kNoPart.
ArcExample make_example(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                        const LabelSets& sets, const FeatureNumbers& numbers,
                        std::span<const std::uint32_t> heads,
                        std::span<const std::uint32_t> labels);

// The features of the true arcs of a sentence.
void see_true_arcs(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                   std::span<const std::uint32_t> labels, FeatureNumbers& numbers);

}  // namespace trellis::parse
