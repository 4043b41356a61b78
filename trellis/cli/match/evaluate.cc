// `trellis match evaluate`
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/match/commands.h"
#include "trellis/cli/match/run.h"
#include "trellis/tasks/match/matcher.h"

namespace trellis::cli {
namespace {

struct MatchEvaluateCall {
  CommonOptions common;
  match::MatchInput input;
  std::string model;
  std::string report;
  bool per_graph = false;
};

int run(MatchEvaluateCall& call) {
  const auto model = match::MatchModel::load(call.model);
  call.input.pairs = model.features().pairs();
  const auto examples = match::read_examples(call.input, model.features(), call.common.threads);
  const match::MatchScores scores =
      match::evaluate(match::Matcher(model), examples, call.common.threads);
  print(call.common.json ? scores.to_json().dump() + "\n" : scores.to_text(call.per_graph));
  if (!call.report.empty()) {
    report::MatchReport page = match_model_report(model, "Evaluation of " + call.model);
    add_match_evaluation(model, examples, call.input.files.front(), call.common.threads, page);
    write_match_report(page, call.report);
  }
  return 0;
}

}  // namespace

void add_match_evaluate(CLI::App& match, int& status) {
  auto call = std::make_shared<MatchEvaluateCall>();
  CLI::App* app = match.add_subcommand(
      "evaluate",
      "Match graphs or shapes whose truth is known, and compare: the share of nodes with the wrong "
      "partner, and of graphs without a mistake.");
  app->add_option("files", call->input.files,
                  "Graph files, or lists of pairs for a model of shapes")
      ->required();
  app->add_option("--model", call->model, "The model")->required();
  app->add_flag("--per-graph", call->per_graph, "A line for each graph as well");
  app->add_option("--report", call->report, "Write a page with scores, weights and pairs");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
