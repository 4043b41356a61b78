#include "trellis/tasks/parse/output/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "trellis/data/fingerprint_table.h"
#include "trellis/frame/training/result.h"
#include "trellis/tasks/parse/features/arc_templates.h"

namespace trellis::parse {
namespace {

struct TagWeight {
  std::string head, modifier, distance, label;
  ArcDirection direction = ArcDirection::kFromRoot;
  double weight = 0;
};

constexpr Index kListedTemplate = [] {
  const ArcTemplate listed(atoms::hCoarse, atoms::mCoarse, atoms::distance);
  for (Index t = 0; t < kPairTemplates.size(); ++t) {
    if (kPairTemplates[t].atoms == listed.atoms) return t;
  }
  return kPairTemplates.size();
}();
static_assert(kListedTemplate < kPairTemplates.size());

// The weights of labels by coarse tags and distance, strongest first.
class TagWeights {
 public:
  TagWeights(const ParseModel& model, Index top) : model_(model) {
    const NameList& tags = model.tags().names();
    for (Index m = 0; m < tags.size(); ++m) {
      add(root_text(), std::string(tags[m]), 0, 1);
      for (Index h = 0; h < tags.size(); ++h) {
        // A word from each bucket of distances.
        for (const Index distance : std::initializer_list<Index>{1, 2, 3, 4, 5, 7, 11, 21}) {
          add(std::string(tags[h]), std::string(tags[m]), 100, 100 + distance);
          add(std::string(tags[h]), std::string(tags[m]), 100 + distance, 100);
        }
      }
    }
    const Index count = std::min(top, list_.size());
    std::partial_sort(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(count),
                      list_.end(), [](const TagWeight& a, const TagWeight& b) {
                        return std::abs(a.weight) > std::abs(b.weight);
                      });
    list_.resize(count);
  }

  const std::vector<TagWeight>& list() const { return list_; }

 private:
  static std::string root_text() { return atom_text({}, 0, WordAtom::kCoarse); }

  void add(const std::string& head_tag, const std::string& modifier_tag, Index head,
           Index modifier) {
    AtomRow row{};
    row[atoms::hCoarse] = fingerprint(head_tag);
    row[atoms::mCoarse] = fingerprint(modifier_tag);
    row[atoms::distance] = SentenceAtoms().distance(head, modifier);
    const ArcDirection direction = direction_of_arc(head, modifier);
    const std::uint32_t place = model_.label_rows().places().find(
        feature_fingerprint(kPairTemplates[kListedTemplate],
                            template_seed(TemplateTable::kPair, kListedTemplate, direction), row));
    if (place == WeightView::kNone) return;
    for (const LabelEntry& entry : model_.label_rows().row(place)) {
      list_.push_back({head_tag, modifier_tag, std::string(distance_text(head, modifier)),
                       std::string(model_.labels()[entry.label]), direction, entry.value()});
    }
  }

  const ParseModel& model_;
  std::vector<TagWeight> list_;
};

std::string_view direction_text(ArcDirection direction) {
  if (direction == ArcDirection::kFromRoot) return "root";
  return direction == ArcDirection::kFromLeft ? "from the left" : "from the right";
}

}  // namespace

std::string inspect_text(const ParseModel& model, const std::string& name, Index top) {
  const FilterOptions& filter = model.filter().options();
  std::string text = fmt::format(
      "{}: {} trees with {}, {} labels, {} coarse tags, {} arc features, {} weights of labels\n",
      name, model.shape().trees.projective ? "projective" : "any",
      model.shape().trees.roots == Roots::kOne ? "one root" : "any number of roots",
      model.labels().size(), model.tags().names().size(), model.num_arc_features(),
      model.num_label_weights());
  text += filter.prune ? fmt::format(
                             "at most {} heads per word, each with at least {:g} of the "
                             "probability of the best head\n",
                             filter.limits.max_heads, filter.limits.prune_below)
                       : std::string("all arcs are candidates\n");
  text += provenance_text(model.training());
  text += "\nthe strongest weights of labels by coarse tags and distance\n";
  const TagWeights weights(model, top);
  for (const TagWeight& one : weights.list()) {
    text += fmt::format("  {:+9.4f}  {}: {} of {}, {}", one.weight, one.label, one.modifier,
                        one.head, direction_text(one.direction));
    text += one.direction == ArcDirection::kFromRoot ? "\n"
                                                     : fmt::format(", distance {}\n", one.distance);
  }
  return text;
}

Value inspect_record(const ParseModel& model, Index top) {
  const FilterOptions& filter = model.filter().options();
  Value record;
  record["order"] = model.shape().order;
  record["projective"] = model.shape().trees.projective;
  record["one_root"] = model.shape().trees.roots == Roots::kOne;
  record["arc_features"] = model.num_arc_features();
  record["label_weights"] = model.num_label_weights();
  record["prune"] = filter.prune;
  record["max_heads"] = filter.limits.max_heads;
  record["prune_below"] = filter.limits.prune_below;
  record["training"] = model.training();
  record["labels"] = Value::list();
  for (Index l = 0; l < model.labels().size(); ++l) record["labels"].push_back(model.labels()[l]);
  record["features"] = Value::list();
  const TagWeights weights(model, top);
  for (const TagWeight& one : weights.list()) {
    record["features"].push_back(Value::record({{"label", one.label},
                                                {"head", one.head},
                                                {"modifier", one.modifier},
                                                {"direction", direction_text(one.direction)},
                                                {"distance", one.distance},
                                                {"weight", one.weight}}));
  }
  return record;
}

}  // namespace trellis::parse
