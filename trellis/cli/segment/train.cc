// `trellis segment train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/segment/commands.h"
#include "trellis/cli/segment/run.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/tasks/segment/train.h"

namespace trellis::cli {
namespace {

constexpr Index kPicturesInReport = 12;

struct SegmentTrainCall {
  CommonOptions common;
  segment::TrainOptions options;
  std::string learner = "bcfw";
  bool no_average = false;
  std::string history;
  std::string report;
};

void add_data_options(CLI::App& app, SegmentTrainCall& call) {
  const std::string group = "Data";
  segment::TrainOptions& options = call.options;
  app.add_option("--dev", options.dev,
                 "Held-out pictures or graphs: watched for early stopping, and the epoch with the "
                 "fewest wrong pixels is kept")
      ->group(group);
  app.add_flag("--graph", options.graphs, "The files are graphs (see docs/segmenting.md)")
      ->group(group);
  app.add_flag("--allow-disconnected", options.allow_disconnected,
               "Take graphs that fall into several parts")
      ->group(group);
  app.add_option("--scale", options.scale,
                 "Pictures are shrunk by this before anything else; masks are predicted in full "
                 "size all the same")
      ->capture_default_str()
      ->group(group);
  app.add_option("--neighbours", options.connectivity, "Of a pixel: 4 or 8")
      ->check(CLI::IsMember({4, 8}))
      ->capture_default_str()
      ->group(group);
  app.add_flag("--unary", options.unary, "No edges: each pixel on its own")->group(group);
  app.add_flag("--balanced", options.balanced,
               "Wrong pixels cost so that figure and ground weigh the same")
      ->group(group);
}

void add_learning_options(CLI::App& app, SegmentTrainCall& call) {
  const std::string group = "Learning";
  segment::TrainOptions& options = call.options;
  app.add_option("--learner", call.learner,
                 "bcfw: block-coordinate Frank-Wolfe, a cut per picture and step\n"
                 "extragradient: dual extragradient, all pictures in parallel, projections\n"
                 "bmrm: bundle method, all pictures in parallel\n"
                 "perceptron: averaged\nsgd: stochastic subgradient")
      ->check(CLI::IsMember({"extragradient", "bcfw", "bmrm", "perceptron", "sgd"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--c", options.c, "C: how much the data counts against small weights")
      ->capture_default_str()
      ->group(group);
  app.add_option("--radius", options.radius,
                 "extragradient: keep the weights in a ball of this radius, instead of --c")
      ->group(group);
  app.add_option("--warm-up", options.warm_up,
                 "extragradient: start from where so many epochs of bcfw end")
      ->capture_default_str()
      ->group(group);
  app.add_option("--epochs", options.epochs,
                 "At most so many [extragradient 500, bcfw 200, bmrm 1000, others 100]")
      ->group(group);
  app.add_option(
         "--patience", options.patience,
         "End after so many epochs without a better dev figure [extragradient 60, others 20]")
      ->group(group);
  app.add_flag("--certify", options.certify, "Report objective, lower bound and gap of each epoch")
      ->group(group);
  app.add_option("--gap", options.gap, "Stop as soon as the certified relative gap is below this")
      ->group(group);
  app.add_flag("--no-average", call.no_average,
               "perceptron, bcfw, sgd: the last weights instead of their mean")
      ->group(group);
  app.add_option("--eta", options.eta, "sgd: learning rate; 0: chosen")
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

void print_result(const SegmentTrainCall& call, const segment::TrainResult& result,
                  Console& console) {
  if (call.common.json) {
    print(result.to_json().dump() + "\n");
    return;
  }
  const LearnSummary& summary = result.summary;
  std::string text = fmt::format("{} after {} epochs, {:.1f} s", ending(summary.termination),
                                 summary.epochs, summary.seconds);
  if (std::isfinite(summary.objective)) {
    text += fmt::format(", objective {:.6g}", summary.objective);
  }
  if (std::isfinite(summary.gap)) text += fmt::format(", gap {:.3g} (certified)", summary.gap);
  console.note(text);
  if (result.dev) {
    console.note(fmt::format("best on dev: pixel error {:.2f} %, IoU {:.2f} % (epoch {})",
                             result.dev->overall().pixel_error(), result.dev->overall().iou(),
                             result.best_epoch));
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

void write_training_report(const SegmentTrainCall& call, const segment::TrainResult& result) {
  const segment::TrainOptions& options = call.options;
  const auto model = segment::SegmentModel::load(options.model);
  report::SegmentReport page = model_report(model, "Training of " + options.model);
  add_history(result, page);
  if (!options.dev.empty()) {
    const segment::SegmentInput dev{options.dev, options.graphs, true, options.allow_disconnected};
    add_evaluation(evaluate_segmenter(model, dev, call.common.threads, kPicturesInReport),
                   options.dev.front(), page);
  }
  write_report(page, call.report);
}

int run(SegmentTrainCall& call) {
  segment::TrainOptions& options = call.options;
  options.learner = segment::parse_learner(call.learner);
  options.average = !call.no_average;
  options.threads = call.common.threads;
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
  Console console(call.common.quiet);
  require_writable(call.report);
  WatchedTraining watched(console, call.history, options.resume);
  const segment::TrainResult result =
      segment::train_segmenter(options, watched.events<segment::TrainEvents>());
  if (result.interrupted) return watched.interrupted(options.checkpoint);
  print_result(call, result, console);
  if (!call.report.empty()) write_training_report(call, result);
  return 0;
}

}  // namespace

void add_segment_train(CLI::App& segment, int& status) {
  auto call = std::make_shared<SegmentTrainCall>();
  CLI::App* app = segment.add_subcommand(
      "train",
      "Train a segmenter.\n\n"
      "  trellis segment train pictures/ --dev more-pictures/ --model m.trellis\n"
      "  trellis segment train train.list --dev dev.list --scale 0.5 --model m.trellis\n"
      "  trellis segment train --graph scans.txt --gap 1e-3 --model m.trellis");
  app->add_option("files", call->options.files,
                  "Directories of pictures with masks, or lists of pictures and masks; with "
                  "--graph graph files")
      ->required();
  app->add_option("--model", call->options.model, "Where the model goes")->required();
  add_data_options(*app, *call);
  add_learning_options(*app, *call);
  add_run_options(*app,
                  {call->options.checkpoint, call->options.resume, call->history, call->report},
                  "curves, weights, and pictures of the dev set");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
