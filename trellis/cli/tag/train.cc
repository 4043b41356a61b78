// `trellis tag train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/tag/commands.h"
#include "trellis/cli/tag/report_data.h"
#include "trellis/cli/tag/run.h"
#include "trellis/cli/tag/train_call.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/report/tag_report.h"
#include "trellis/tasks/tag/templates/template_parser.h"
#include "trellis/tasks/tag/train.h"

namespace trellis::cli {
namespace {

void print_result(const TrainCall& call, const tag::TrainResult& result, Console& console) {
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
    console.note(fmt::format("best on {}: {} {:.2f} (epoch {})", call.options.dev,
                             result.dev->figure_name(), result.dev->figure(), result.best_epoch));
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

void write_report(const TrainCall& call, const tag::TrainResult& result) {
  const tag::TagModel model = tag::TagModel::load(call.options.model);
  report::TagReport page = model_report(model, "Training of " + call.options.model);
  add_history(result, page);
  if (!call.options.dev.empty()) {
    add_evaluation(evaluate_file(model, {call.options.dev, ""}, call.common.threads, 200),
                   call.options.dev, page);
  }
  AtomicFile file(call.report);
  file.write(report::tag_report(page));
  file.commit();
}

int run(TrainCall& call) {
  resolve(call);
  Console console(call.common.quiet);
  require_writable(call.report);  // better now than after training
  const tag::FeatureTemplate features = load_template(call);
  WatchedTraining watched(console, call.history, call.options.resume);
  const tag::TrainResult result =
      tag::train_tagger(call.options, features, watched.events<tag::TrainEvents>());
  for (const std::string& label : result.unseen_dev_labels) {
    console.warn(fmt::format("{}: the label '{}' does not occur in the training set",
                             call.options.dev, label));
  }
  if (result.repaired_labels > 0)
    console.note(fmt::format("repaired {} labels", result.repaired_labels));
  if (result.interrupted) return watched.interrupted(call.options.checkpoint);
  print_result(call, result, console);
  if (!call.report.empty()) write_report(call, result);
  return 0;
}

}  // namespace

void add_tag_train(CLI::App& tag, int& status) {
  auto call = std::make_shared<TrainCall>();
  CLI::App* app = tag.add_subcommand(
      "train",
      "Train a tagger.\n\n"
      "  trellis tag train train.txt --dev dev.txt --template ner --model ner.trellis\n"
      "  trellis tag train train.txt.gz --template chunk --learner dca --loss softmax-margin "
      "--model m.trellis");
  add_train_options(*app, *call);
  app->add_flag_callback(
      "--help-template",
      [] {
        print(std::string(tag::template_reference()));
        throw CLI::Success();
      },
      "Print the template language, and exit");
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
