// `trellis classify inspect`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/cli/classify/commands.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/tasks/classify/inspect.h"

namespace trellis::cli {
namespace {

struct InspectCall {
  CommonOptions common;
  std::string model;
  Index top = 10;
};

nlohmann::json features_json(const std::vector<classify::WeightedFeature>& features) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& feature : features)
    list.push_back({{"feature", feature.name}, {"weight", feature.weight}});
  return list;
}

nlohmann::json to_json(const classify::ClassifyModel& model, Index top) {
  nlohmann::json json;
  json["labels"] = model.labels();
  json["format"] = std::string(to_string(model.features().format));
  json["columns"] = model.columns() ? model.columns()->to_string() : "";
  json["weighting"] = std::string(to_string(model.features().weighting));
  json["normalize"] = model.features().normalize;
  json["lowercase"] = model.features().lowercase;
  json["ngrams"] = model.features().ngrams;
  json["bias"] = model.features().bias;
  json["probabilities"] = model.beta().has_value();
  json["features"] = model.num_features();
  json["training"] = model.training();
  nlohmann::json strongest = nlohmann::json::object();
  for (const auto& label : classify::strongest_features(model, top)) {
    strongest[label.label] = {{"for", features_json(label.positive)},
                              {"against", features_json(label.negative)}};
  }
  json["strongest"] = strongest;
  return json;
}

std::string to_text(const classify::ClassifyModel& model, Index top) {
  const classify::FeatureOptions& features = model.features();
  std::string text =
      fmt::format("{}: {} labels, {} features ({}, {}{})\n", model.name(), model.labels().size(),
                  model.num_features(), to_string(features.format), to_string(features.weighting),
                  features.normalize ? ", length 1" : "");
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  for (const auto& label : classify::strongest_features(model, top)) {
    text += "\n" + label.label + "\n";
    for (const auto& feature : label.positive)
      text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
    for (const auto& feature : label.negative)
      text += fmt::format("  {:+9.4f}  {}\n", feature.weight, feature.name);
  }
  return text;
}

int run(const InspectCall& call) {
  const classify::ClassifyModel model = classify::ClassifyModel::load(call.model);
  print(call.common.json ? to_json(model, call.top).dump() + "\n" : to_text(model, call.top));
  return 0;
}

}  // namespace

void add_classify_inspect(CLI::App& classify, int& status) {
  auto call = std::make_shared<InspectCall>();
  CLI::App* app = classify.add_subcommand(
      "inspect",
      "What a model has learned: the features that speak most for each label, and against it "
      "(weights less their mean over the labels).");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Features of each label, on either side")
      ->capture_default_str();
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
