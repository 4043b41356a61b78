// `trellis classify train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/classify/commands.h"
#include "trellis/cli/classify/report_data.h"
#include "trellis/cli/classify/run.h"
#include "trellis/cli/classify/train_call.h"
#include "trellis/cli/console.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/report/classify_report.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::cli {
namespace {

void print_result(const ClassifyTrainCall& call, const classify::TrainResult& result,
                  Console& console) {
  if (call.common.json) {
    print(result.to_json().dump() + "\n");
    return;
  }
  const LearnSummary& summary = result.summary;
  std::string text = fmt::format("{} after {} epochs, {:.1f} s", ending(summary.termination),
                                 summary.epochs, summary.seconds);
  if (std::isfinite(summary.objective))
    text += fmt::format(", objective {:.6g}", summary.objective);
  if (std::isfinite(summary.gap)) text += fmt::format(", gap {:.3g} (certified)", summary.gap);
  if (result.eta > 0) text += fmt::format(", eta {}", result.eta);
  console.note(text);
  if (result.dev) {
    console.note(fmt::format("best on {}: accuracy {:.2f} (epoch {})", call.options.dev,
                             result.dev->accuracy(), result.best_epoch));
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

void write_report(const ClassifyTrainCall& call, const classify::TrainResult& result) {
  const classify::ClassifyModel model = classify::ClassifyModel::load(call.options.model);
  report::ClassifyReport page = classify_model_report(model, "Training of " + call.options.model);
  add_classify_history(result, page);
  if (!call.options.dev.empty()) {
    add_classify_evaluation(
        evaluate_documents(model, {call.options.dev, ""}, call.common.threads, 100),
        call.options.dev, page);
  }
  AtomicFile file(call.report);
  file.write(report::classify_report(page));
  file.commit();
}

int run(ClassifyTrainCall& call) {
  resolve(call);
  Console console(call.common.quiet);
  require_writable(call.report);  // better now than after training
  WatchedTraining watched(console, call.history, call.options.resume);
  const classify::TrainResult result =
      classify::train_classifier(call.options, watched.events<classify::TrainEvents>());
  for (const std::string& label : result.unseen_dev_labels) {
    console.warn(fmt::format("{}: the label '{}' does not occur in the training set",
                             call.options.dev, label));
  }
  if (result.interrupted) return watched.interrupted(call.options.checkpoint);
  print_result(call, result, console);
  if (!call.report.empty()) write_report(call, result);
  return 0;
}

}  // namespace

void add_classify_train(CLI::App& classify, int& status) {
  auto call = std::make_shared<ClassifyTrainCall>();
  CLI::App* app = classify.add_subcommand(
      "train",
      "Train a classifier.\n\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis classify train train.tsv --dev dev.tsv --loss maxent --ngrams 2 --model "
      "m.trellis\n"
      "  trellis classify train train.svm.gz --learner smo --c 0.5 --gap 1e-4 --model m.trellis");
  add_classify_train_options(*app, *call);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
