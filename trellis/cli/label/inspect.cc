// `trellis label inspect`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/label/run.h"
#include "trellis/tasks/label/model/inspect.h"

namespace trellis::cli {
namespace {

struct InspectCall {
  CommonOptions common;
  std::string model;
  Index top = 10;
};

nlohmann::json names_json(const std::vector<label::WeightedName>& features) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& feature : features) {
    list.push_back({{"feature", feature.name}, {"weight", feature.weight}});
  }
  return list;
}

nlohmann::json chain_order(const label::LabelModelParts& model) {
  nlohmann::json order = nlohmann::json::array();
  for (const std::uint32_t v : model.order) order.push_back(model.label_names[v]);
  return order;
}

nlohmann::json to_json(const label::LabelModelParts& model, Index top) {
  nlohmann::json json;
  json["form"] = std::string(to_string(model.form));
  json["features"] = model.feature_names.size();
  json["bias"] = model.scaling.bias;
  json["centred"] = !model.scaling.mean.empty();
  json["scaled"] = !model.scaling.scale.empty();
  json["unit_length"] = model.scaling.unit_length;
  json["training"] = model.training;
  json["labels"] = nlohmann::json::array();
  for (const label::LabelView& view : label::strongest_features(model, top)) {
    json["labels"].push_back({{"label", view.label},
                              {"threshold", view.threshold},
                              {"constant", view.constant},
                              {"for", names_json(view.positive)},
                              {"against", names_json(view.negative)}});
  }
  const char* links = model.form == label::ModelForm::kChain ? "chain_weights" : "couplings";
  json[links] = nlohmann::json::array();
  for (const label::LabelLink& link : label::strongest_links(model, model.num_labels() * top)) {
    json[links].push_back({{"from", model.label_names[link.from]},
                           {"to", model.label_names[link.to]},
                           {"weight", link.weight}});
  }
  if (model.form == label::ModelForm::kChain) json["order"] = chain_order(model);
  return json;
}

std::string links_text(const label::LabelModelParts& model, Index top) {
  std::string text;
  if (model.form == label::ModelForm::kChain) {
    text += "\nthe chain:";
    for (const std::uint32_t v : model.order) text += " " + model.label_names[v];
    text += "\n";
  }
  const auto links = label::strongest_links(model, top);
  if (links.empty()) return text;
  const bool chain = model.form == label::ModelForm::kChain;
  text +=
      chain ? "\nwhat labels make of those before them\n" : "\nlabels that attract each other\n";
  for (const label::LabelLink& link : links) {
    text += fmt::format("  {:>+11.4g}  {} {} {}\n", link.weight, model.label_names[link.from],
                        chain ? "→" : "–", model.label_names[link.to]);
  }
  return text;
}

std::string to_text(const InspectCall& call, const label::LabelModelParts& model) {
  std::string text = fmt::format("{}: {} labels, {} features, {}\n", call.model, model.num_labels(),
                                 model.feature_names.size(), to_string(model.form));
  for (const auto& [key, value] : model.training.items()) {
    text += fmt::format("  {} {}\n", key, training_text(value));
  }
  for (const label::LabelView& view : label::strongest_features(model, call.top)) {
    text += fmt::format("\n{}  (above {:.4g}; of zeros {:+.4g})\n", view.label, view.threshold,
                        view.constant);
    for (const auto* features : {&view.positive, &view.negative}) {
      for (const auto& feature : *features) {
        text += fmt::format("  {:>+11.4g}  {}\n", feature.weight, feature.name);
      }
    }
  }
  return text + links_text(model, model.num_labels() * call.top);
}

int run(const InspectCall& call) {
  const label::LabelModelParts model = label::load_label_model(call.model);
  print(call.common.json ? to_json(model, call.top).dump() + "\n" : to_text(call, model));
  return 0;
}

}  // namespace

void add_label_inspect(CLI::App& label, int& status) {
  auto call = std::make_shared<InspectCall>();
  CLI::App* app = label.add_subcommand(
      "inspect",
      "What a model has learned: the features that speak most for each label and against it, its "
      "threshold, and how labels speak for one another (couplings, or the chain).");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Features of each label, on either side")
      ->check(CLI::Range(Index{0}, Index{1} << 31))
      ->capture_default_str();
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
