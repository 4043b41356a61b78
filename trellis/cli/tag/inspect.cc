// `trellis tag inspect`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/cli/console.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/tasks/tag/model/inspect.h"

namespace trellis::cli {
namespace {

struct InspectCall {
  CommonOptions common;
  std::string model;
  Index top = 10;
  bool show_template = false;
};

nlohmann::json features_json(const std::vector<tag::WeightedFeature>& features) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& feature : features)
    list.push_back({{"feature", feature.name}, {"weight", feature.weight}});
  return list;
}

nlohmann::json to_json(const tag::TagModel& model, Index top) {
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
  for (const auto& label : tag::strongest_features(model, top))
    features[label.label] = features_json(label.features);
  json["features"] = features;
  json["edge_features"] = features_json(tag::strongest_edge_features(model, top));
  nlohmann::json transitions = nlohmann::json::array();
  const tag::TransitionTable table = tag::transition_table(model);
  for (Index i = 0; i < table.from.size(); ++i) {
    for (Index j = 0; j < table.to.size(); ++j) {
      const double weight = table.weights[i * table.to.size() + j];
      if (std::isfinite(weight))
        transitions.push_back({{"from", table.from[i]}, {"to", table.to[j]}, {"weight", weight}});
    }
  }
  json["transitions"] = transitions;
  return json;
}

std::string to_text(const tag::TagModel& model, Index top) {
  std::string text = fmt::format(
      "{}: {} labels ({}), order {}, {} attributes, {} weights{}\n", model.name(),
      model.labels().size(), to_string(model.format().model_scheme), model.states().order(),
      model.chain().node_rows().num_attributes(), model.chain().num_features(),
      model.voted() ? fmt::format(", {} voters", model.num_voters()) : "");
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  for (const auto& label : tag::strongest_features(model, top)) {
    text += "\n" + label.label + "\n";
    for (const auto& feature : label.features)
      text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
  }
  const auto edges = tag::strongest_edge_features(model, top);
  if (!edges.empty()) text += "\nedge features\n";
  for (const auto& feature : edges)
    text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
  const tag::TransitionTable table = tag::transition_table(model);
  std::vector<tag::WeightedFeature> transitions;
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

int run(const InspectCall& call) {
  const tag::TagModel model = tag::TagModel::load(call.model);
  if (call.show_template) {
    print(model.features().source());
  } else {
    print(call.common.json ? to_json(model, call.top).dump() + "\n" : to_text(model, call.top));
  }
  return 0;
}

}  // namespace

void add_tag_inspect(CLI::App& tag, int& status) {
  auto call = std::make_shared<InspectCall>();
  CLI::App* app = tag.add_subcommand(
      "inspect", "What a model has learned: its strongest weights and transitions.");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Features of each label, and transitions")
      ->capture_default_str();
  app->add_flag("--template", call->show_template, "Print the model's feature template instead");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
