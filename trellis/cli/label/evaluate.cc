// `trellis label evaluate`
#include <fmt/format.h>

#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/label/report_data.h"
#include "trellis/cli/label/run.h"
#include "trellis/report/label_report.h"
#include "trellis/tasks/label/metrics/label_scores_text.h"

namespace trellis::cli {
namespace {

struct EvaluateCall {
  CommonOptions common;
  std::string file;
  std::string model;
  std::string report;
  double beta = 1;
  Index label_rows = 50;
};

void write_report(const EvaluateCall& call, const label::LabelModelParts& model,
                  const LabelEvaluation& evaluation) {
  report::LabelReport page = label_model_report(model, "Evaluation of " + call.model);
  add_label_evaluation(evaluation, call.file, page);
  AtomicFile file(call.report);
  file.write(report::label_report(page));
  file.commit();
}

int run(const EvaluateCall& call) {
  Console console(call.common.quiet);
  if (!call.report.empty()) require_writable(call.report);
  const label::LabelModelParts model = label::load_label_model(call.model);
  const LabelEvaluation evaluation =
      evaluate_labels(model, call.file, call.common.threads, call.beta);
  if (!evaluation.warning.empty()) console.warn(evaluation.warning);
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(
        fmt::format("{}: the model has no label '{}': it counts as missed", call.file, label));
  }
  if (!call.report.empty()) write_report(call, model, evaluation);
  if (call.common.json) {
    nlohmann::json json = evaluation.scores.to_json();
    json["unseen_labels"] = evaluation.unseen_labels;
    print(json.dump() + "\n");
    return 0;
  }
  print(label::to_text(evaluation.scores, call.label_rows));
  return 0;
}

}  // namespace

void add_label_evaluate(CLI::App& label, int& status) {
  auto call = std::make_shared<EvaluateCall>();
  CLI::App* app = label.add_subcommand(
      "evaluate",
      "Label a file that has labels, and compare: precision, recall and F as means over labels "
      "(macro), instances (example) and all pairs (micro), Hamming loss, subset accuracy, ranking "
      "loss, and each label by itself.\n"
      "F of nothing against nothing is 1. Macro means are also given over the labels that occur in "
      "the file.");
  app->add_option("file", call->file, "File with labels; '-' is standard input")->required();
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--beta", call->beta, "Also report F_beta, of this beta")
      ->check(CLI::Range(1e-6, 1e6))
      ->capture_default_str();
  app->add_option("--label-rows", call->label_rows,
                  "How many labels to list, those first that occur most; 0: none")
      ->capture_default_str();
  app->add_option("--report", call->report,
                  "Write a page with scores, labels, couplings and features");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
