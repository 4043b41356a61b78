#include "trellis/tasks/tag/output/inspect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "trellis/tasks/tag/model/inspect.h"

namespace trellis::tag {
namespace {

nlohmann::json features_json(const std::vector<WeightedFeature>& features) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& feature : features)
    list.push_back({{"feature", feature.name}, {"weight", feature.weight}});
  return list;
}

}  // namespace

std::string inspect_json(const TagModel& model, Index top) {
  nlohmann::json json;
  json["labels"] = model.labels();
  json["order"] = model.states().order();
  json["scheme"] = std::string(to_string(model.format().model_scheme));
  json["attributes"] = model.chain().node_rows().num_attributes();
  json["edge_attributes"] = model.chain().edge_rows().num_attributes();
  json["weights"] = model.chain().num_features();
  json["voters"] = model.voted() ? model.num_voters() : 0;
  json["training"] = model.training();
  json["template"] = model.features().source();
  nlohmann::json features = nlohmann::json::object();
  for (const auto& label : strongest_features(model, top))
    features[label.label] = features_json(label.features);
  json["features"] = features;
  json["edge_features"] = features_json(strongest_edge_features(model, top));
  nlohmann::json transitions = nlohmann::json::array();
  const TransitionTable table = transition_table(model);
  for (Index i = 0; i < table.from.size(); ++i) {
    for (Index j = 0; j < table.to.size(); ++j) {
      const double weight = table.weights[i * table.to.size() + j];
      if (std::isfinite(weight))
        transitions.push_back({{"from", table.from[i]}, {"to", table.to[j]}, {"weight", weight}});
    }
  }
  json["transitions"] = transitions;
  return json.dump();
}

std::string inspect_text(const TagModel& model, Index top) {
  std::string text = fmt::format(
      "{}: {} labels ({}), order {}, {} attributes, {} weights{}\n", model.name(),
      model.labels().size(), to_string(model.format().model_scheme), model.states().order(),
      model.chain().node_rows().num_attributes(), model.chain().num_features(),
      model.voted() ? fmt::format(", {} voters", model.num_voters()) : "");
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  for (const auto& label : strongest_features(model, top)) {
    text += "\n" + label.label + "\n";
    for (const auto& feature : label.features)
      text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
  }
  const auto edges = strongest_edge_features(model, top);
  if (!edges.empty()) text += "\nedge features\n";
  for (const auto& feature : edges)
    text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
  const TransitionTable table = transition_table(model);
  std::vector<WeightedFeature> transitions;
  for (Index i = 0; i < table.from.size(); ++i) {
    for (Index j = 0; j < table.to.size(); ++j) {
      const double weight = table.weights[i * table.to.size() + j];
      if (std::isfinite(weight))
        transitions.push_back({table.from[i] + " → " + table.to[j], weight});
    }
  }
  std::stable_sort(transitions.begin(), transitions.end(), [](const auto& a, const auto& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  if (transitions.size() > top) transitions.resize(top);
  if (!transitions.empty()) text += "\ntransitions\n";
  for (const auto& transition : transitions)
    text += fmt::format("  {:+9.4f}  {}\n", transition.weight, transition.name);
  return text;
}

}  // namespace trellis::tag
