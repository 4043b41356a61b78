// `trellis rank inspect`
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/cli/rank/report_data.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::cli {
namespace {

struct RankInspectCall {
  CommonOptions common;
  std::string model;
  Index top = 20;
};

nlohmann::json to_json(const rank::RankModel& model, Index top) {
  nlohmann::json json;
  json["normalization"] = std::string(to_string(model.features().normalization));
  json["expansion"] = model.features().expansion.to_string();
  json["features"] = model.features().num_columns();
  json["weights"] = model.weights().size();
  json["training"] = model.training();
  json["strongest"] = nlohmann::json::array();
  for (const Index w : strongest_weights(model, top)) {
    json["strongest"].push_back(
        {{"feature", model.features().weight_name(w)}, {"weight", model.weights()[w]}});
  }
  return json;
}

std::string to_text(const rank::RankModel& model, const std::string& name, Index top) {
  const rank::RankFeatures& features = model.features();
  std::string text = fmt::format("{}: {} features, normalized by {}, expansion {}, {} weights\n",
                                 name, features.num_columns(), to_string(features.normalization),
                                 features.expansion.to_string(), model.weights().size());
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  text += "\nraises (+) or lowers (-) a document\n";
  for (const Index w : strongest_weights(model, top)) {
    text += fmt::format("  {:+9.4f}  {}\n", model.weights()[w], features.weight_name(w));
  }
  return text;
}

int run(const RankInspectCall& call) {
  const auto model = rank::RankModel::load(call.model);
  print(call.common.json ? to_json(model, call.top).dump() + "\n"
                         : to_text(model, call.model, call.top));
  return 0;
}

}  // namespace

void add_rank_inspect(CLI::App& rank, int& status) {
  auto call = std::make_shared<RankInspectCall>();
  CLI::App* app =
      rank.add_subcommand("inspect", "What a model has learned: which features raise a document.");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Weights to print")->capture_default_str();
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
