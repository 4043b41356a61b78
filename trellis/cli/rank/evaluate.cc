// `trellis rank evaluate`
#include <memory>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/cli/rank/report_data.h"
#include "trellis/tasks/rank/query_reader.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::cli {
namespace {

struct RankEvaluateCall {
  CommonOptions common;
  std::string file;
  std::string model;
  std::string ndcg = "standard";
  std::string empty = "0";
  std::string report;
  bool per_query = false;
};

int run(const RankEvaluateCall& call) {
  const auto model = rank::RankModel::load(call.model);
  const auto queries = rank::read_queries(call.file);
  const rank::RankScores scores =
      rank::evaluate(model.features(), model.weights(), queries, rank::parse_ndcg(call.ndcg),
                     rank::parse_empty(call.empty), call.common.threads);
  if (call.common.json) {
    print(scores.to_json(call.per_query).dump() + "\n");
  } else {
    print(scores.to_text(call.per_query));
  }
  if (!call.report.empty()) {
    report::RankReport page = rank_model_report(model, "Evaluation of " + call.model);
    page.evaluated_on = call.file;
    page.scores = scores;
    write_rank_report(page, call.report);
  }
  return 0;
}

}  // namespace

void add_rank_evaluate(CLI::App& rank, int& status) {
  auto call = std::make_shared<RankEvaluateCall>();
  CLI::App* app = rank.add_subcommand(
      "evaluate",
      "Rank the documents of a graded file and compare: NDCG, MAP and precision.\n\n"
      "  trellis rank evaluate test.txt --model m.trellis --per-query");
  app->add_option("file", call->file, "Graded documents; '-': standard input")->required();
  app->add_option("--model", call->model, "The model")->required();
  app->add_flag("--per-query", call->per_query, "A line for each query as well");
  app->add_option("--ndcg", call->ndcg,
                  "standard: (2^grade - 1)/log2(1 + j); letor: LETOR's scripts, whose first two "
                  "positions count the same; linear: grade/log2(1 + j)")
      ->check(CLI::IsMember({"standard", "letor", "linear"}))
      ->capture_default_str();
  app->add_option("--empty", call->empty,
                  "What a query without a relevant document counts: 0, 1 or skip")
      ->check(CLI::IsMember({"0", "1", "skip"}))
      ->capture_default_str();
  app->add_option("--report", call->report, "Write a page with scores and weights");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
