#include "trellis/tasks/parse/model/arc_example.h"

#include <algorithm>

#include "trellis/tasks/parse/features/arc_pair_templates.h"
#include "trellis/tasks/parse/features/arc_templates.h"

namespace trellis::parse {
namespace {

void find_gold(std::span<const std::uint32_t> heads, std::span<const std::uint32_t> labels,
               ArcExample& example) {
  const DependencyArcs& parts = example.arcs.parts;
  example.gold.assign(heads.size(), ArcExample::kNoPart);
  for (Index m = 1; m <= heads.size(); ++m) {
    for (Index p = parts.begin(m); p < parts.begin(m + 1); ++p) {
      if (parts.head(p) == heads[m - 1] && example.arcs.labels[p] == labels[m - 1]) {
        example.gold[m - 1] = static_cast<std::uint32_t>(p);
      }
    }
  }
}

}  // namespace

ExampleBuilder::ExampleBuilder(const LabelSets& sets, const FeatureNumbers& numbers,
                               const ModelShape& shape)
    : sets_(&sets),
      numbers_(&numbers),
      shape_(shape),
      arc_place_(numbers.num_arc_weights(), 0),
      row_place_(numbers.num_label_rows(), 0) {}

// Prefetches what add_arc() will look up.
void ExampleBuilder::fetch(ArcFeatures& features, const DependencyArc& arc) {
  arc_ahead_.clear();
  pair_ahead_.clear();
  features.set_modifier(arc.modifier);
  features.set_head(arc.head);
  features.each_of_arc([&](std::uint64_t fp) {
    numbers_->prefetch_arc_feature(fp);
    arc_ahead_.push_back(fp);
  });
  features.each<TemplateTable::kPair>([&](std::uint64_t fp) {
    numbers_->prefetch_label_row(fp);
    pair_ahead_.push_back(fp);
  });
}

void ExampleBuilder::add_arc(ArcExample& example) {
  for (const std::uint64_t fp : arc_here_) {
    const std::uint32_t number = numbers_->arc_feature(fp);
    if (number != FeatureNumbers::kNone) example.of_arc.numbers.push_back(number);
  }
  example.of_arc.end_list();
  for (const std::uint64_t fp : pair_here_) {
    const std::uint32_t row = numbers_->label_row(fp);
    if (row != FeatureNumbers::kNone) example.of_pair.numbers.push_back(row);
  }
  example.of_pair.end_list();
}

void ExampleBuilder::add_pairs(const SentenceAtoms& atoms, ArcExample& example) const {
  example.graph = std::make_shared<const ArcPairGraph>(shape_.pairs_of(example.arcs.parts));
  ArcPairFeatures features(atoms);
  for (const ArcPair& pair : example.graph->pairs()) {
    features.each(pair, [&](std::uint64_t fp) {
      const std::uint32_t number = numbers_->arc_feature(fp);
      if (number != FeatureNumbers::kNone) example.of_arc_pair.numbers.push_back(number);
    });
    example.of_arc_pair.end_list();
  }
}

template <TemplateTable kTable>
void ExampleBuilder::add_rows(const ArcFeatures& features, NumberLists& lists) const {
  features.each<kTable>([&](std::uint64_t fingerprint) {
    const std::uint32_t row = numbers_->label_row(fingerprint);
    if (row != FeatureNumbers::kNone) lists.numbers.push_back(row);
  });
  lists.end_list();
}

// Replaces numbers by positions among the distinct ones, which are returned in ascending order.
// `place` is 0 before and after.
std::vector<std::uint32_t> ExampleBuilder::make_local(std::span<NumberLists* const> families,
                                                      std::vector<std::uint32_t>& place) {
  std::vector<std::uint32_t> distinct;
  for (const NumberLists* lists : families) {
    for (const std::uint32_t number : lists->numbers) {
      if (place[number] == 0) distinct.push_back(number);
      place[number] = 1;
    }
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.shrink_to_fit();
  for (Index k = 0; k < distinct.size(); ++k) place[distinct[k]] = static_cast<std::uint32_t>(k);
  for (NumberLists* lists : families) {
    for (std::uint32_t& number : lists->numbers) number = place[number];
    lists->numbers.shrink_to_fit();
    lists->begin.shrink_to_fit();
  }
  for (const std::uint32_t number : distinct) place[number] = 0;
  return distinct;
}

ArcExample ExampleBuilder::make(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                                std::span<const std::uint32_t> heads,
                                std::span<const std::uint32_t> labels) {
  ArcExample example(label_arcs(arcs, atoms, *sets_));
  ArcFeatures features(atoms);
  if (!arcs.empty()) fetch(features, arcs.front());
  for (Index g = 0; g < arcs.size(); ++g) {
    arc_here_.swap(arc_ahead_);
    pair_here_.swap(pair_ahead_);
    if (g + 1 < arcs.size()) fetch(features, arcs[g + 1]);
    add_arc(example);
  }
  for (Index word = 0; word <= atoms.words(); ++word) {
    for (Index d = 0; d < kDirections; ++d) {
      features.set_head_alone(word, static_cast<ArcDirection>(d));
      add_rows<TemplateTable::kHead>(features, example.of_head);
      if (word == 0) continue;
      features.set_modifier(word);
      add_rows<TemplateTable::kModifier>(features, example.of_modifier);
    }
  }
  if (shape_.order == 2) add_pairs(atoms, example);
  NumberLists* const arc_lists[] = {&example.of_arc, &example.of_arc_pair};
  example.features = make_local(arc_lists, arc_place_);
  NumberLists* const row_lists[] = {&example.of_pair, &example.of_modifier, &example.of_head};
  example.rows = make_local(row_lists, row_place_);
  find_gold(heads, labels, example);
  return example;
}

void see_true_arcs(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                   std::span<const std::uint32_t> labels, const ModelShape& shape,
                   FeatureNumbers& numbers) {
  ArcFeatures features(atoms);
  for (Index m = 1; m <= heads.size(); ++m) {
    features.set_modifier(m);
    features.set_head(heads[m - 1]);
    features.each_of_arc([&](std::uint64_t fp) { numbers.see_arc_feature(fp); });
    const auto see_label = [&](std::uint64_t fp) { numbers.see_label_feature(fp, labels[m - 1]); };
    features.each<TemplateTable::kPair>(see_label);
    features.each<TemplateTable::kModifier>(see_label);
    features.each<TemplateTable::kHead>(see_label);
  }
  if (shape.order != 2) return;
  ArcPairFeatures pair_features(atoms);
  for (const ArcPair& pair : shape.pairs_of_tree(heads)) {
    pair_features.each(pair, [&](std::uint64_t fp) { numbers.see_arc_feature(fp); });
  }
}

}  // namespace trellis::parse
