#include "trellis/cli/label/commands.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/label_report_data.h"
#include "trellis/tasks/label/evaluate.h"
#include "trellis/tasks/label/metrics/label_scores_text.h"
#include "trellis/tasks/label/model/inspect.h"
#include "trellis/tasks/label/predict.h"

namespace trellis::label {
namespace {

struct PredictCall {
  cli::CommonOptions common;
  std::string file;
  std::string model;
  std::string output;
  bool scores = false;
};

int run(const PredictCall& call) {
  const LabelModel model = LabelModel::read(call.model);
  const std::string file = call.file.empty() ? "-" : call.file;
  PredictOptions options;
  options.scores = call.scores;
  options.json = call.common.json;
  options.threads = call.common.threads;
  options.at_once = file == "-";
  OutputFile out(call.output);
  const std::string warning =
      predict(model, InputFile(file), options, [&](const std::string& line) {
        out.write(line);
        if (options.at_once) out.flush();
      });
  out.commit();
  if (!warning.empty()) cli::Console(call.common.quiet).warn(warning);
  return 0;
}

void add_predict(cli::Command& label) {
  auto call = std::make_shared<PredictCall>();
  cli::Command command = label.command(
      "predict",
      "The labels of each instance of a file, a line each, with tabs between them; an empty line "
      "where there are none.\n"
      "Features are found by their names (LIBSVM: by their index); labels in the file are not "
      "looked at.");
  command.option("file", call->file,
                 "File to label, with or without labels; '-' or nothing: standard input");
  command.option("--model", call->model, "The model").required();
  command.option("--output", call->output, "Where to write; '-' or nothing: standard output");
  command.flag("--scores", call->scores,
               "Write behind each label how far its score is above its threshold; with --json, "
               "the scores of all labels");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct EvaluateCall {
  cli::CommonOptions common;
  std::string file;
  std::string model;
  std::string report;
  double beta = 1;
  bool at_zero = false;
  Index label_rows = 50;
};

int run(const EvaluateCall& call) {
  cli::Console console(call.common.quiet);
  require_writable(call.report);
  LabelModel model = LabelModel::read(call.model);
  if (call.at_zero) model.thresholds.assign(model.num_labels(), 0.0);
  const Evaluation evaluation =
      evaluate(model, InputFile(call.file), call.common.threads, call.beta);
  if (!evaluation.warning.empty()) console.warn(evaluation.warning);
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(
        fmt::format("{}: the model has no label '{}': it counts as missed", call.file, label));
  }
  cli::write_page(call.report, [&] {
    report::LabelReport page = report::label_model_report(model, "Evaluation of " + call.model);
    page.evaluated_on = call.file;
    page.scores = evaluation.scores;
    return report::label_report(page);
  });
  if (!call.common.json) {
    cli::print(to_text(evaluation.scores, call.label_rows));
    return 0;
  }
  nlohmann::json json = evaluation.scores.to_json();
  json["unseen_labels"] = evaluation.unseen_labels;
  cli::print(json.dump() + "\n");
  return 0;
}

void add_evaluate(cli::Command& label) {
  auto call = std::make_shared<EvaluateCall>();
  cli::Command command = label.command(
      "evaluate",
      "Label a file that has labels, and compare: precision, recall and F as means over labels "
      "(macro), instances (example) and all pairs (micro), Hamming loss, subset accuracy, ranking "
      "loss, and each label by itself.\n"
      "F of nothing against nothing is 1. Macro means are also given over the labels that occur in "
      "the file.");
  command.option("file", call->file, "File with labels; '-' is standard input").required();
  command.option("--model", call->model, "The model").required();
  command.option("--beta", call->beta, "Also report F_beta, of this beta")
      .between(1e-6, 1e6)
      .shows_default();
  command.flag("--at-threshold-0", call->at_zero,
               "With thresholds of 0 in the place of the model's");
  command
      .option("--label-rows", call->label_rows,
              "How many labels to list, those first that occur most; 0: none")
      .shows_default();
  command.option("--report", call->report,
                 "Write a page with scores, labels, couplings and features");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  Index top = 10;
};

void add_inspect(cli::Command& label) {
  auto call = std::make_shared<InspectCall>();
  cli::Command command = label.command(
      "inspect",
      "What a model has learned: the features that speak most for each label and against it, its "
      "threshold, and how labels speak for one another (couplings, or the chain).");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Features of each label, on either side")
      .between(0, 1e9)
      .shows_default();
  add_common_options(command, call->common);
  command.run([call] {
    const LabelModel model = LabelModel::read(call->model);
    cli::print(call->common.json ? inspect_json(model, call->top).dump() + "\n"
                                 : inspect_text(model, call->model, call->top));
    return 0;
  });
}

}  // namespace

void add_label(cli::Program& program) {
  cli::Command label = program.task(
      "label",
      "Any number of labels for each instance, trained for the measure that counts: macro-F1 or "
      "another F, precision, recall, Hamming.\n\n"
      "Files are ARFF, with Mulan's XML file that says which attributes are labels, or LIBSVM's "
      "with labels in front: 1,5,7 index:value ... Gzip and zstd are read as they are; '-' is "
      "standard input.");
  add_train(label);
  add_predict(label);
  add_evaluate(label);
  add_inspect(label);
}

}  // namespace trellis::label
