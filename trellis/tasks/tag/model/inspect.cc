#include "trellis/tasks/tag/model/inspect.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::tag {
namespace {

struct Candidate {
  AttributeId attribute;
  std::uint32_t target;
  double weight;

  // Stronger ones come first.
  bool operator<(const Candidate& other) const {
    if (std::abs(weight) != std::abs(other.weight)) {
      return std::abs(weight) > std::abs(other.weight);
    }
    return attribute != other.attribute ? attribute < other.attribute : target < other.target;
  }
};

// The `top` strongest weights of the rows, for each target or for all together.
std::vector<std::set<Candidate>> strongest_of_rows(const AttributeRows& rows, const double* w,
                                                   Index top, bool of_each_target) {
  std::vector<std::set<Candidate>> best(of_each_target ? rows.num_targets() : 1);
  for (Index a = 0; top > 0 && a < rows.num_attributes(); ++a) {
    const AttributeId id = static_cast<AttributeId>(a);
    const std::span<const std::uint32_t> targets = rows.targets(id);
    for (Index j = 0; j < targets.size(); ++j) {
      std::set<Candidate>& list = best[of_each_target ? targets[j] : 0];
      const Candidate candidate{id, targets[j], w[rows.begin(id) + j]};
      if (list.size() == top && !(candidate < *list.rbegin())) continue;
      list.insert(candidate);
      if (list.size() > top) list.erase(std::prev(list.end()));
    }
  }
  return best;
}

const double* last_weights(const TagModel& model) {
  return model.weights(model.num_voters() - 1).data();
}

// The pairs of labels with a weight.
struct Transition {
  std::string from, to;
  double weight;
};
std::vector<Transition> transitions(const TagModel& model) {
  const TransitionTable table = transition_table(model);
  std::vector<Transition> list;
  for (Index i = 0; i < table.from.size(); ++i) {
    for (Index j = 0; j < table.to.size(); ++j) {
      const double weight = table.weights[i * table.to.size() + j];
      if (std::isfinite(weight)) list.push_back({table.from[i], table.to[j], weight});
    }
  }
  return list;
}

Value feature_list(const std::vector<WeightedFeature>& features) {
  Value list = Value::list();
  for (const auto& [name, weight] : features)
    list.push_back(Value::record({{"feature", name}, {"weight", weight}}));
  return list;
}

std::string features_text(const std::string& title, const std::vector<WeightedFeature>& features) {
  std::string text = "\n" + title + "\n";
  for (const auto& [name, weight] : features) text += fmt::format("  {:+9.4f}  {}\n", weight, name);
  return text;
}

}  // namespace

std::vector<LabelFeatures> strongest_features(const TagModel& model, Index top) {
  const auto best = strongest_of_rows(model.chain().node_rows(), last_weights(model), top, true);
  std::vector<LabelFeatures> result;
  for (Index label = 0; label < best.size(); ++label) {
    LabelFeatures features{model.labels()[label], {}};
    for (const Candidate& c : best[label])
      features.features.push_back({model.nodes().name(c.attribute), c.weight});
    result.push_back(std::move(features));
  }
  return result;
}

std::vector<WeightedFeature> strongest_edge_features(const TagModel& model, Index top) {
  const double* w = last_weights(model) + model.chain().edge_begin();
  std::vector<WeightedFeature> features;
  const Index n = model.labels().size();
  const auto best = strongest_of_rows(model.chain().edge_rows(), w, top, false);
  for (const Candidate& c : best.front()) {
    const std::string from = c.target < n ? "^" : model.labels()[c.target / n - 1];
    features.push_back({fmt::format("{}  {} → {}", model.edges().name(c.attribute), from,
                                    model.labels()[c.target % n]),
                        c.weight});
  }
  return features;
}

TransitionTable transition_table(const TagModel& model) {
  TransitionTable table;
  const Index n = model.labels().size();
  table.from.emplace_back("^");
  table.from.insert(table.from.end(), model.labels().begin(), model.labels().end());
  table.to = model.labels();
  table.to.emplace_back("$");
  const double none = std::numeric_limits<double>::quiet_NaN();
  table.weights.assign((n + 1) * (n + 1), none);
  const double* w = last_weights(model) + model.chain().gram_begin();
  const GramWeights& grams = model.chain().grams();
  // Pairs have the numbers of the transitions in an order-1 chain: (start, j) is j, (i, j) is n + i
  // n + j.
  for (Index pair = 0; pair < n * (n + 1); ++pair) {
    const std::uint32_t rank = grams.levels[0][pair];
    if (rank != GramWeights::kNone) table.weights[(pair / n) * (n + 1) + pair % n] = w[rank];
  }
  for (Index j = 0; j < n; ++j) {
    if (grams.stop[j] != GramWeights::kNone)
      table.weights[(1 + j) * (n + 1) + n] = w[grams.stop[j]];
  }
  return table;
}

Value inspect_record(const TagModel& model, Index top) {
  Value record;
  record["labels"] = model.labels();
  record["order"] = model.states().order();
  record["scheme"] = to_string(model.format().model_scheme);
  record["attributes"] = model.chain().node_rows().num_attributes();
  record["edge_attributes"] = model.chain().edge_rows().num_attributes();
  record["weights"] = model.chain().num_features();
  record["voters"] = model.voted() ? model.num_voters() : 0;
  record["training"] = model.training();
  record["template"] = model.features().source();
  Value features = Value::record();
  for (const auto& label : strongest_features(model, top))
    features[label.label] = feature_list(label.features);
  record["features"] = std::move(features);
  record["edge_features"] = feature_list(strongest_edge_features(model, top));
  record["transitions"] = Value::list();
  for (const auto& [from, to, weight] : transitions(model)) {
    record["transitions"].push_back(
        Value::record({{"from", from}, {"to", to}, {"weight", weight}}));
  }
  return record;
}

std::string inspect_text(const TagModel& model, Index top) {
  std::string text = fmt::format(
      "{}: {} labels ({}), order {}, {} attributes, {} weights{}\n", model.name(),
      model.labels().size(), to_string(model.format().model_scheme), model.states().order(),
      model.chain().node_rows().num_attributes(), model.chain().num_features(),
      model.voted() ? fmt::format(", {} voters", model.num_voters()) : "");
  text += provenance_text(model.training());
  for (const auto& label : strongest_features(model, top)) {
    text += features_text(label.label, label.features);
  }
  const std::vector<WeightedFeature> edges = strongest_edge_features(model, top);
  if (!edges.empty()) text += features_text("edge features", edges);
  const std::vector<Transition> pairs = transitions(model);
  std::vector<double> weights;
  for (const Transition& pair : pairs) weights.push_back(pair.weight);
  std::vector<WeightedFeature> strongest;
  for (const Index k : strongest_weights(weights, top)) {
    strongest.push_back({fmt::format("{} → {}", pairs[k].from, pairs[k].to), pairs[k].weight});
  }
  if (!strongest.empty()) text += features_text("transitions", strongest);
  return text;
}

}  // namespace trellis::tag
