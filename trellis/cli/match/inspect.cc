// `trellis match inspect`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/match/commands.h"
#include "trellis/cli/match/run.h"

namespace trellis::cli {
namespace {

struct MatchInspectCall {
  CommonOptions common;
  std::string model;
  std::string report;
  Index top = 20;
};

nlohmann::json to_json(const match::MatchModel& model, Index top) {
  nlohmann::json json;
  json["input"] = model.features().pairs() ? "pairs" : "graphs";
  json["estimator"] = std::string(to_string(model.estimator()));
  json["cover"] = std::string(match::to_string(model.features().cover()));
  json["weights"] = model.features().dimension();
  json["training"] = model.training();
  json["features"] = nlohmann::json::array();
  for (const Index k : strongest_weights(model, top)) {
    json["features"].push_back(
        {{"feature", model.features().weight_name(k)}, {"weight", model.weights()[k]}});
  }
  return json;
}

// A row of weights for each ring.
std::string wheel(const match::MatchModel& model) {
  const match::ContextOptions& contexts = model.features().contexts();
  std::string text =
      "\nwhat a difference of shape contexts weighs: rings down, from inside; "
      "sectors across, clockwise from the left\n";
  for (Index r = 0; r < contexts.rings; ++r) {
    for (Index s = 0; s < contexts.sectors; ++s) {
      text += fmt::format(" {:+9.3g}", model.weights()[r * contexts.sectors + s]);
    }
    text += "\n";
  }
  return text;
}

std::string to_text(const match::MatchModel& model, const std::string& name, Index top) {
  const match::MatchFeatures& features = model.features();
  std::string text =
      fmt::format("{}: {}, {} estimator, {} cover, {} weights\n", name,
                  features.pairs() ? "pairs of shapes" : "graphs", to_string(model.estimator()),
                  match::to_string(features.cover()), features.dimension());
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (features.pairs()) text += wheel(model);
  text += "\nthe strongest weights: for a match (+) or against it (-)\n";
  for (const Index k : strongest_weights(model, top)) {
    text += fmt::format("  {:+9.4g}  {}\n", model.weights()[k], features.weight_name(k));
  }
  return text;
}

int run(const MatchInspectCall& call) {
  const auto model = match::MatchModel::load(call.model);
  print(call.common.json ? to_json(model, call.top).dump() + "\n"
                         : to_text(model, call.model, call.top));
  if (!call.report.empty()) {
    write_match_report(match_model_report(model, "The model " + call.model), call.report);
  }
  return 0;
}

}  // namespace

void add_match_inspect(CLI::App& match, int& status) {
  auto call = std::make_shared<MatchInspectCall>();
  CLI::App* app = match.add_subcommand(
      "inspect", "What a model has learned: what speaks for a match, and what against it.");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Weights to print")->capture_default_str();
  app->add_option("--report", call->report, "Write a page with the weights");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
