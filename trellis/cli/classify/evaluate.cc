// `trellis classify evaluate`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/classify/commands.h"
#include "trellis/cli/classify/report_data.h"
#include "trellis/cli/classify/run.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/report/classify_report.h"

namespace trellis::cli {
namespace {

struct EvaluateCall {
  CommonOptions common;
  ClassifyInput input;
  std::string model;
  std::string report;
  Index confusions = 10;
};

int run(const EvaluateCall& call) {
  Console console(call.common.quiet);
  if (!call.report.empty()) require_writable(call.report);
  const classify::ClassifyModel model = classify::ClassifyModel::load(call.model);
  const ClassifyEvaluation evaluation =
      evaluate_documents(model, call.input, call.common.threads, call.report.empty() ? 0 : 100);
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(fmt::format("{}: the model has no label '{}': it counts as missed",
                             call.input.file, label));
  }
  if (!call.report.empty()) {
    report::ClassifyReport page = classify_model_report(model, "Evaluation of " + call.model);
    add_classify_evaluation(evaluation, call.input.file, page);
    AtomicFile file(call.report);
    file.write(report::classify_report(page));
    file.commit();
  }
  if (call.common.json) {
    nlohmann::json json = evaluation.scores.to_json(call.confusions);
    json["unseen_labels"] = evaluation.unseen_labels;
    print(json.dump() + "\n");
    return 0;
  }
  print(evaluation.scores.to_text(call.confusions));
  return 0;
}

}  // namespace

void add_classify_evaluate(CLI::App& classify, int& status) {
  auto call = std::make_shared<EvaluateCall>();
  CLI::App* app = classify.add_subcommand(
      "evaluate",
      "Classify a labelled file and compare: accuracy, precision, recall and F1 of each label, "
      "macro-F1, and the commonest mistakes.");
  app->add_option("file", call->input.file, "Labelled file; '-' is standard input")->required();
  app->add_option("--model", call->model, "The model")->required();
  add_columns_option(*app, call->input.columns);
  app->add_option("--confusions", call->confusions, "How many of the commonest mistakes to list")
      ->capture_default_str();
  app->add_option("--report", call->report,
                  "Write a page with scores, confusions, features and mistaken documents");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
