// `trellis match train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/match/commands.h"
#include "trellis/cli/match/run.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/tasks/match/train.h"

namespace trellis::cli {
namespace {

struct MatchTrainCall {
  CommonOptions common;
  match::TrainOptions options;
  std::string estimator = "max-margin";
  std::string learner = "automatic";
  std::string cover = "perfect";
  std::string difference = "squared";
  std::string normalize = "automatic";
  std::string history;
  std::string report;
};

void add_data_options(CLI::App& app, MatchTrainCall& call) {
  const std::string group = "Data";
  match::TrainOptions& options = call.options;
  app.add_flag("--pairs", options.pairs,
               "The files are lists of pairs of shapes: points, frames or silhouettes")
      ->group(group);
  app.add_option("--dev", options.dev,
                 "Held-out data of the same kind: chooses lambda, and is tested on")
      ->group(group);
  app.add_option("--cover", call.cover,
                 "perfect: every node of the smaller side is matched\npartial: nodes may stay "
                 "single (max-margin only)")
      ->check(CLI::IsMember({"perfect", "partial"}))
      ->capture_default_str()
      ->group(group);
  app.add_option(
         "--normalize", call.normalize,
         "Scale features to a root mean square of 1 while learning: each by its own number, "
         "all by a common one, or none\nautomatic: common for shapes, each for graphs")
      ->check(CLI::IsMember({"automatic", "each", "common", "none"}))
      ->capture_default_str()
      ->group(group);
}

void add_shape_options(CLI::App& app, MatchTrainCall& call) {
  const std::string group = "Shapes";
  match::ContextOptions& contexts = call.options.contexts;
  app.add_option("--points", contexts.points,
                 "Points sampled on the outline of a silhouette that brings none")
      ->capture_default_str()
      ->group(group);
  app.add_option("--outline", contexts.outline,
                 "Points of an outline that shape contexts are made of")
      ->capture_default_str()
      ->group(group);
  app.add_option("--rings", contexts.rings, "Of a shape context")
      ->capture_default_str()
      ->group(group);
  app.add_option("--sectors", contexts.sectors, "Of a shape context")
      ->capture_default_str()
      ->group(group);
  app.add_option("--inner", contexts.inner,
                 "Where the first ring ends, in mean distances between points")
      ->capture_default_str()
      ->group(group);
  app.add_option("--outer", contexts.outer, "Where the last ring ends")
      ->capture_default_str()
      ->group(group);
  app.add_option("--difference", call.difference, "Of two shape contexts, bin by bin")
      ->check(CLI::IsMember({"squared", "absolute"}))
      ->capture_default_str()
      ->group(group);
}

void add_learning_options(CLI::App& app, MatchTrainCall& call) {
  const std::string group = "Learning";
  match::TrainOptions& options = call.options;
  app.add_option("--estimator", call.estimator,
                 "max-margin: the true matching wins by its distance from others\n"
                 "map: the likelihood of the true matching; has probabilities\n"
                 "distance: nothing is learned; the distance of shape contexts, to compare with")
      ->check(CLI::IsMember({"map", "max-margin", "distance"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--learner", call.learner,
                 "max-margin: bmrm (automatic) or bcfw\n"
                 "map: lbfgs (automatic; sums are exact to 24 nodes on a side), or sgd with "
                 "--draws")
      ->check(CLI::IsMember({"automatic", "bmrm", "bcfw", "lbfgs", "sgd"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--draws", options.draws,
                 "map: estimate gradients from so many draws of the Huber-Law sampler; 0: exact "
                 "sums")
      ->capture_default_str()
      ->group(group);
  app.add_option("--lambda", options.lambdas,
                 "Of the penalty lambda/2 |w|^2; several with commas: one is chosen by --dev or "
                 "--cv [100,10,...,0.0001 where one is chosen, else 0.001]")
      ->delimiter(',')
      ->group(group);
  app.add_option(
         "--cv", options.folds,
         "Choose lambda in cross-validation with so many folds [max-margin with 5 examples or "
         "more and neither --dev nor --lambda: 5]")
      ->group(group);
  app.add_option("--epochs", options.epochs,
                 "At most so many [bmrm 1000, bcfw 300, lbfgs 300, sgd 30]")
      ->group(group);
  app.add_option("--gap", options.gap,
                 "Stop as soon as the certified relative gap is below this [max-margin 0.001]")
      ->group(group);
  app.add_option("--eta", options.eta, "sgd: learning rate; 0: chosen")
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

void print_result(const MatchTrainCall& call, const match::TrainResult& result, Console& console) {
  if (call.common.json) {
    print(result.to_json().dump() + "\n");
    return;
  }
  const LearnSummary& summary = result.summary;
  if (summary.epochs > 0) {
    std::string text =
        fmt::format("{} after {} epochs, {:.1f} s, lambda {:g}", ending(summary.termination),
                    summary.epochs, summary.seconds, result.lambda);
    if (std::isfinite(summary.objective)) {
      text += fmt::format(", objective {:.6g}", summary.objective);
    }
    if (std::isfinite(summary.gap)) text += fmt::format(", gap {:.3g} (certified)", summary.gap);
    console.note(text);
  }
  if (result.train) {
    console.note(
        fmt::format("on the training set: Hamming error {:.2f} %, {:.2f} % without a "
                    "mistake",
                    result.train->hamming(), result.train->exact()));
  }
  if (result.dev) {
    console.note(fmt::format("on dev: Hamming error {:.2f} %, {:.2f} % without a mistake",
                             result.dev->hamming(), result.dev->exact()));
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

void write_training_report(const MatchTrainCall& call, const match::TrainResult& result) {
  const match::TrainOptions& options = call.options;
  const auto model = match::MatchModel::load(options.model);
  report::MatchReport page = match_model_report(model, "Training of " + options.model);
  add_match_history(result, page);
  const auto& files = options.dev.empty() ? options.files : options.dev;
  const auto examples =
      match::read_examples({files, options.pairs, {}, true}, model.features(), options.threads);
  add_match_evaluation(
      model, examples,
      options.dev.empty() ? files.front() + ", which it was trained on" : files.front(),
      options.threads, page);
  write_match_report(page, call.report);
}

int run(MatchTrainCall& call) {
  match::TrainOptions& options = call.options;
  options.estimator = match::parse_estimator(call.estimator);
  options.learner = match::parse_learner(call.learner);
  options.cover = match::parse_cover(call.cover);
  options.contexts.difference = match::parse_difference(call.difference);
  options.normalize = match::parse_normalize(call.normalize);
  options.threads = call.common.threads;
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
  Console console(call.common.quiet);
  require_writable(call.report);
  WatchedTraining watched(console, call.history, options.resume);
  const match::TrainResult result =
      match::train_matcher(options, watched.events<match::TrainEvents>());
  if (result.interrupted) return watched.interrupted(options.checkpoint);
  print_result(call, result, console);
  if (!call.report.empty()) write_training_report(call, result);
  return 0;
}

}  // namespace

void add_match_train(CLI::App& match, int& status) {
  auto call = std::make_shared<MatchTrainCall>();
  CLI::App* app = match.add_subcommand(
      "train",
      "Train a matcher.\n\n"
      "  trellis match train graphs.txt --dev more-graphs.txt --model m.trellis\n"
      "  trellis match train --pairs train.list --cv 5 --estimator map --model m.trellis");
  app->add_option("files", call->options.files, "Graph files; with --pairs lists of pairs")
      ->required();
  app->add_option("--model", call->options.model, "Where the model goes")->required();
  add_data_options(*app, *call);
  add_shape_options(*app, *call);
  add_learning_options(*app, *call);
  add_run_options(*app,
                  {call->options.checkpoint, call->options.resume, call->history, call->report},
                  "curves, weights, and pairs of the dev set");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
