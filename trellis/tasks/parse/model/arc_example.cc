#include "trellis/tasks/parse/model/arc_example.h"

#include <algorithm>

#include "trellis/tasks/parse/features/arc_templates.h"

namespace trellis::parse {
namespace {

// Collects the label rows of one list.
template <TemplateTable kTable>
void add_rows(const ArcFeatures& features, const FeatureNumbers& numbers, NumberLists& lists) {
  features.each<kTable>([&](std::uint64_t fingerprint) {
    const std::uint32_t row = numbers.label_row(fingerprint);
    if (row != FeatureNumbers::kNone) lists.numbers.push_back(row);
  });
  lists.end_list();
}

// Three families of lists have one set of distinct rows.
std::vector<std::uint32_t> make_local_together(std::span<NumberLists* const> families) {
  std::vector<std::uint32_t> distinct;
  for (const NumberLists* lists : families) {
    distinct.insert(distinct.end(), lists->numbers.begin(), lists->numbers.end());
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  distinct.shrink_to_fit();
  for (NumberLists* lists : families) {
    for (std::uint32_t& number : lists->numbers) {
      number = static_cast<std::uint32_t>(
          std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin());
    }
    lists->numbers.shrink_to_fit();
  }
  return distinct;
}

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

std::vector<std::uint32_t> NumberLists::make_local() {
  NumberLists* const alone[] = {this};
  return make_local_together(alone);
}

ArcExample make_example(const SentenceAtoms& atoms, std::span<const DependencyArc> arcs,
                        const LabelSets& sets, const FeatureNumbers& numbers,
                        std::span<const std::uint32_t> heads,
                        std::span<const std::uint32_t> labels) {
  ArcExample example{label_arcs(arcs, atoms, sets), {}, {}, {}, {}, {}, {}, {}};
  ArcFeatures features(atoms);
  for (const DependencyArc& arc : arcs) {
    features.set_modifier(arc.modifier);
    features.set_head(arc.head);
    features.each_of_arc([&](std::uint64_t fingerprint) {
      const std::uint32_t number = numbers.arc_feature(fingerprint);
      if (number != FeatureNumbers::kNone) example.of_arc.numbers.push_back(number);
    });
    example.of_arc.end_list();
    add_rows<TemplateTable::kPair>(features, numbers, example.of_pair);
  }
  for (Index word = 0; word <= atoms.words(); ++word) {
    for (Index d = 0; d < kDirections; ++d) {
      features.set_head_alone(word, static_cast<ArcDirection>(d));
      add_rows<TemplateTable::kHead>(features, numbers, example.of_head);
      if (word == 0) continue;
      features.set_modifier(word);
      add_rows<TemplateTable::kModifier>(features, numbers, example.of_modifier);
    }
  }
  example.features = example.of_arc.make_local();
  NumberLists* const families[] = {&example.of_pair, &example.of_modifier, &example.of_head};
  example.rows = make_local_together(families);
  find_gold(heads, labels, example);
  return example;
}

void see_true_arcs(const SentenceAtoms& atoms, std::span<const std::uint32_t> heads,
                   std::span<const std::uint32_t> labels, FeatureNumbers& numbers) {
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
}

}  // namespace trellis::parse
