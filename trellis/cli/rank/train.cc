// `trellis rank train`
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/text.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/cli/rank/report_data.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/watched_training.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::cli {
namespace {

struct RankTrainCall {
  CommonOptions common;
  rank::TrainOptions options;
  std::string estimator = "map";
  std::string learner;
  std::string normalize = std::string(to_string(rank::TrainOptions().normalization));
  std::string expand = "none";
  std::string subsets = "0.4";
  std::string position = "M-j";
  std::string ties = "level";
  std::string select = "mean";
  std::string ndcg = "standard";
  std::string empty = "0";
  std::string history;
  std::string report;
};

void resolve(RankTrainCall& call) {
  rank::TrainOptions& options = call.options;
  options.estimator = rank::parse_estimator(call.estimator);
  if (!call.learner.empty()) options.learner = rank::parse_learner(call.learner);
  options.normalization = rank::parse_normalization(call.normalize);
  options.expansion = rank::Expansion::parse(call.expand);
  options.subsets.all = call.subsets == "all";
  if (!options.subsets.all) {
    const auto fraction = parse_double(call.subsets);
    if (!fraction) {
      throw UsageError(fmt::format("--subsets is a number or all, not '{}'", call.subsets));
    }
    options.subsets.fraction = *fraction;
  }
  options.subsets.position = rank::parse_position(call.position);
  options.subsets.ties = rank::parse_ties(call.ties);
  options.select = rank::Selection(call.select);
  options.ndcg = rank::parse_ndcg(call.ndcg);
  options.empty = rank::parse_empty(call.empty);
  options.threads = call.common.threads;
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
}

void add_data_options(CLI::App& app, RankTrainCall& call) {
  const std::string group = "Data";
  app.add_option("--dev", call.options.dev,
                 "Held-out queries: the lambda that ranks them best is kept")
      ->group(group);
  app.add_option("--normalize", call.normalize,
                 "minmax, zscore: each feature within its query; scale: by the spread within the "
                 "training queries; none")
      ->check(CLI::IsMember({"none", "scale", "minmax", "zscore"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--expand", call.expand,
                 "Functions of the features besides: binned:B (piecewise linear, B knots each) or "
                 "random:K (random Fourier features)")
      ->capture_default_str()
      ->group(group);
}

void add_subset_options(CLI::App& app, RankTrainCall& call) {
  const std::string group = "Subsets";
  app.add_option("--size", call.options.subsets.size,
                 "M: documents of a subset [the number of grades, at least 2]")
      ->group(group);
  app.add_option("--subsets", call.subsets,
                 "So many times D M subsets of a query with D documents, or all (for sizes 2, 3)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--position", call.position,
                 "c(j), what position j of M counts: M-j, 1/log (as in NDCG), 1/j, or root, (1 + "
                 "j)^(-1/4)")
      ->check(CLI::IsMember({"M-j", "1/log", "1/j", "root"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--ties", call.ties,
                 "Documents of one grade: level, their order has no say; sample: the order drawn "
                 "counts as true")
      ->check(CLI::IsMember({"level", "sample"}))
      ->capture_default_str()
      ->group(group);
}

void add_learning_options(CLI::App& app, RankTrainCall& call) {
  const std::string group = "Learning";
  rank::TrainOptions& options = call.options;
  app.add_option("--estimator", call.estimator,
                 "map: RankMatch, the most probable weights, exact over all orders of a subset\n"
                 "max-margin: DORM, with the cost 1 - NDCG")
      ->check(CLI::IsMember({"map", "max-margin"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--learner", call.learner,
                 "lbfgs (map alone), bmrm or bcfw [lbfgs; max-margin: bmrm]")
      ->check(CLI::IsMember({"lbfgs", "bmrm", "bcfw"}))
      ->group(group);
  app.add_option(
         "--lambda", options.lambdas,
         "Of lambda/2 |w|^2; several to choose from, with commas between [0.1; with --dev or "
         "--cv 10 ... 0.003]")
      ->delimiter(',')
      ->group(group);
  app.add_option("--cv", options.folds,
                 "Choose lambda by cross-validation with so many folds of whole queries")
      ->group(group);
  app.add_option("--select", call.select,
                 "By what to choose: ndcg@1 ... ndcg@10, mean (of these) or map")
      ->capture_default_str()
      ->group(group);
  app.add_option("--ndcg", call.ndcg, "Of the choice and of the cost: standard, letor or linear")
      ->check(CLI::IsMember({"standard", "letor", "linear"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--empty", call.empty,
                 "What a query without a relevant document counts: 0, 1 or skip")
      ->check(CLI::IsMember({"0", "1", "skip"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--gamma", options.gamma, "Scale of the cost in the loss [map 0, max-margin 1]")
      ->group(group);
  app.add_option("--epochs", options.epochs, "At most so many for each lambda")
      ->capture_default_str()
      ->group(group);
  app.add_option("--gap", options.gap,
                 "Stop as soon as the certified relative gap is below this [map 1e-6, max-margin "
                 "1e-4]")
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

void print_result(const RankTrainCall& call, const rank::TrainResult& result, Console& console) {
  if (call.common.json) {
    print(result.to_json().dump() + "\n");
    return;
  }
  const LearnSummary& summary = result.summary;
  console.note(
      fmt::format("{} after {} epochs, {:.1f} s, lambda {:g}, objective {:.6g}, gap {:.3g} "
                  "(certified)",
                  ending(summary.termination), summary.epochs, summary.seconds, result.lambda,
                  summary.objective, summary.gap));
  if (result.dev) {
    console.note(fmt::format("best on {}: NDCG@1 {:.4f}, NDCG@10 {:.4f}, MAP {:.4f}",
                             call.options.dev, result.dev->ndcg(1), result.dev->ndcg(10),
                             result.dev->map()));
  }
  console.note(fmt::format("wrote {}", call.options.model));
}

int run(RankTrainCall& call) {
  resolve(call);
  rank::TrainOptions& options = call.options;
  Console console(call.common.quiet);
  require_writable(call.report);
  WatchedTraining watched(console, call.history, options.resume);
  const rank::TrainResult result = rank::train_ranker(options, watched.events<rank::TrainEvents>());
  if (result.interrupted) return watched.interrupted(options.checkpoint);
  print_result(call, result, console);
  if (!call.report.empty()) write_rank_training_report(options, result, call.report);
  return 0;
}

}  // namespace

void add_rank_train(CLI::App& rank, int& status) {
  auto call = std::make_shared<RankTrainCall>();
  CLI::App* app = rank.add_subcommand(
      "train",
      "Train a ranker.\n\n"
      "  trellis rank train train.txt --dev vali.txt --model m.trellis\n"
      "  trellis rank train train.txt.gz --cv 5 --select ndcg@10 --model m.trellis\n"
      "  trellis rank train train.txt --estimator max-margin --gap 1e-4 --model m.trellis");
  app->add_option("files", call->options.files, "Files of graded documents")->required();
  app->add_option("--model", call->options.model, "Where the model goes")->required();
  add_data_options(*app, *call);
  add_subset_options(*app, *call);
  add_learning_options(*app, *call);
  add_run_options(*app,
                  {call->options.checkpoint, call->options.resume, call->history, call->report},
                  "curves, weights and scores");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
