// `trellis label train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/label/report_data.h"
#include "trellis/cli/label/run.h"
#include "trellis/cli/label/train_call.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/report/label_report.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/train.h"

namespace trellis::cli {
namespace {

// The measure's figure as people quote it: hamming as a loss.
double quoted(const label::LabelScores& scores, const label::Measure& measure) {
  const double value = label::figure(scores, measure);
  return measure.set.kind == SetMeasure::Kind::kHamming ? 1 - value : value;
}

void note_figures(const std::string& name, const label::LabelScores& scores,
                  const label::LabelScores& at_zero, const label::Measure& measure,
                  Console& console) {
  console.note(fmt::format("{}: {} {:.4f}, at threshold 0 {:.4f}", name, to_string(measure),
                           quoted(scores, measure), quoted(at_zero, measure)));
}

void print_result(const LabelTrainCall& call, const label::TrainResult& result, Console& console) {
  if (call.common.json) {
    print(result.to_json(call.options).dump() + "\n");
    return;
  }
  const LearnSummary& summary = result.summary;
  std::string text = fmt::format("{} after {} passes, {:.1f} s", ending(summary.termination),
                                 summary.epochs, summary.seconds);
  if (result.label_c.empty()) text += fmt::format(", C {:g}", result.c);
  if (std::isfinite(summary.objective)) {
    text +=
        fmt::format(", objective {:.6g}, gap {:.3g} (certified)", summary.objective, summary.gap);
  }
  console.note(text);
  if (result.pairwise) {
    console.note(
        fmt::format("{} couplings; {:.1f} % of the calls in training proven optimal, "
                    "{:.1f} % of those at the end",
                    result.pairwise->pairs, 100 * result.pairwise->proven_calls,
                    100 * result.pairwise->proven_share));
  }
  const label::Measure& measure = call.options.measure;
  note_figures("training set", result.training, result.training_at_zero, measure, console);
  if (result.dev) {
    note_figures(call.options.dev, *result.dev, *result.dev_at_zero, measure, console);
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

void write_training_report(const LabelTrainCall& call, const label::TrainResult& result) {
  const label::TrainOptions& options = call.options;
  const label::LabelModelParts model = label::load_label_model(options.model);
  report::LabelReport page = label_model_report(model, "Training of " + options.model);
  add_label_history(result.summary.history, page);
  if (!options.dev.empty()) {
    add_label_evaluation(
        evaluate_labels(model, options.dev, call.common.threads, options.measure.set.beta),
        options.dev, page);
  }
  AtomicFile file(call.report);
  file.write(report::label_report(page));
  file.commit();
}

int run(LabelTrainCall& call) {
  resolve(call);
  Console console(call.common.quiet);
  require_writable(call.report);  // better now than after training
  WatchedTraining watched(console, call.history, call.options.resume);
  auto events = watched.events<label::TrainEvents>();
  events.on_progress = [&](const std::string& message) { console.progress(message); };
  const label::TrainResult result = label::train_labeller(call.options, events);
  if (result.interrupted) {
    if (result.resumable) return watched.interrupted(call.options.checkpoint);
    console.warn("interrupted: nothing was written");
    return 130;
  }
  print_result(call, result, console);
  if (!call.report.empty()) write_training_report(call, result);
  return 0;
}

}  // namespace

void add_label_train(CLI::App& label, int& status) {
  auto call = std::make_shared<LabelTrainCall>();
  CLI::App* app = label.add_subcommand(
      "train",
      "Train a labeller for the measure that counts.\n\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --measure hamming --cv 10 --model m\n"
      "  trellis label train train.svm --measure example-f1 --pairwise --model m.trellis");
  add_label_train_options(*app, *call);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
