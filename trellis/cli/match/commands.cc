#include "trellis/cli/match/commands.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/match_report.h"
#include "trellis/tasks/match/inspect.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/predict.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {
namespace {

struct TrainCall {
  cli::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
  std::string estimator;
  std::string cover = "perfect";
  std::string difference = "squared";
  std::string normalize = "automatic";
};

void add_data_flags(cli::Command& command, TrainCall& call) {
  command.option("files", call.files.files, "Graph files; with --pairs lists of pairs").required();
  command.group("Data");
  command.flag("--pairs", call.files.pairs,
               "The files are lists of pairs of shapes: points, frames or silhouettes");
  command.option("--dev", call.files.dev,
                 "Held-out files of the same kind: watched for early stopping, the best epoch is "
                 "kept, lambda and other settings are chosen by them, and they are tested on");
  command
      .option("--cover", call.cover,
              "perfect: every node of the smaller side is matched\npartial: nodes may stay single "
              "(no sums, hence no smooth losses)")
      .one_of({"perfect", "partial"})
      .shows_default();
  command
      .option("--normalize", call.normalize,
              "Scale features to a root mean square of 1 while learning: each by its own number, "
              "all by a common one, or none\nautomatic: common for shapes, each for graphs")
      .one_of({"automatic", "each", "common", "none"})
      .shows_default();
  command
      .option("--estimator", call.estimator,
              "max-margin: the true matching wins by its distance from others (the loss svm)\n"
              "map: the likelihood of the true matching, which has probabilities (the loss crf)\n"
              "distance: nothing is learned; the distance of shape contexts, to compare with\n"
              "[what the loss says: max-margin where that is not said either]")
      .one_of({"map", "max-margin", "distance"});
}

void add_shape_flags(cli::Command& command, TrainCall& call) {
  ContextOptions& contexts = call.files.contexts;
  command.group("Shapes");
  command
      .option("--points", contexts.points,
              "Points sampled on the outline of a silhouette that brings none")
      .shows_default();
  command
      .option("--outline", contexts.outline, "Points of an outline that shape contexts are made of")
      .shows_default();
  command.option("--rings", contexts.rings, "Of a shape context").shows_default();
  command.option("--sectors", contexts.sectors, "Of a shape context").shows_default();
  command
      .option("--inner", contexts.inner,
              "Where the first ring ends, in mean distances between points")
      .shows_default();
  command.option("--outer", contexts.outer, "Where the last ring ends").shows_default();
  command.option("--difference", call.difference, "Of two shape contexts, bin by bin")
      .one_of({"squared", "absolute"})
      .shows_default();
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const MatchModel& model = *trained.model;
  const TrainFiles& files = call.files;
  report::MatchReport page = report::model_page(model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  const auto& shown = files.dev.empty() ? files.files : files.dev;
  const int threads = call.flags.common.threads;
  report::add_evaluation(
      model, read_examples(shown, model.features(), threads),
      files.dev.empty() ? shown.front() + ", which it was trained on" : shown.front(), threads,
      page);
  return match_report(page);
}

std::string describe(const char* where, const MatchScores& scores) {
  return fmt::format("on {}: Hamming error {:.2f} %, {:.2f} % without a mistake", where,
                     scores.hamming(), scores.exact());
}

cli::TrainingOutcome train(TrainCall& call, const TrainEvents& events) {
  call.options.training = call.flags.options;
  if (!call.estimator.empty()) call.options.estimator = parse_estimator(call.estimator);
  call.options.normalize = parse_normalize(call.normalize);
  call.files.cover = parse_cover(call.cover);
  call.files.contexts.difference = parse_difference(call.difference);
  const auto trained =
      std::make_shared<const Trained>(train_files(call.files, call.options, events));
  const TrainResult& result = trained->result;
  cli::TrainingOutcome outcome;
  outcome.interrupted = !trained->model;
  if (outcome.interrupted) return outcome;
  trained->model->write(call.flags.model);
  if (result.learned.stages != nullptr) result.learned.stages->discard();
  outcome.json = result.to_json();
  outcome.summary = result.learned.fitted.summary;
  outcome.notes = {describe("the training set", *result.train)};
  if (result.dev) outcome.notes.push_back(describe("dev", *result.dev));
  outcome.page = [&call, trained] { return training_page(call, *trained); };
  return outcome;
}

void add_train(cli::Command& match) {
  auto call = std::make_shared<TrainCall>();
  cli::Command command = match.command(
      "train",
      "Train a matcher.\n\n"
      "  trellis match train graphs.txt --dev more-graphs.txt --model m.trellis\n"
      "  trellis match train --pairs train.list --cv 5 --estimator map --model m.trellis\n\n"
      "Where nothing says how weights are held (--lambda, --c, --radius), lambda is chosen by "
      "--dev "
      "or --cv; with neither, losses with a margin choose it in 5 folds where there are 5 "
      "examples.");
  add_data_flags(command, *call);
  add_shape_flags(command, *call);
  cli::add_training_flags(command, call->flags, defaults(), able(),
                          {"", "curves, weights, and pairs of the dev set"});
  command.run([call] {
    if (!call->files.dev.empty()) call->flags.dev = call->files.dev.front();
    return cli::run_training(call->flags,
                             [&](const TrainEvents& events) { return train(*call, events); });
  });
}

struct PredictCall {
  cli::CommonOptions common;
  PredictInput input;
  PredictOptions options;
  std::string model;
  std::string output;
};

int run(PredictCall& call) {
  call.options.json = call.common.json;
  call.options.threads = call.common.threads;
  const MatchModel model = MatchModel::read(call.model);
  OutputFile out(call.output);
  predict(model, call.input, call.options, out);
  out.commit();
  return 0;
}

void add_predict(cli::Command& match) {
  auto call = std::make_shared<PredictCall>();
  cli::Command command = match.command(
      "predict",
      "Who belongs to whom: for each graph a line 'graph NAME LEFT RIGHT score S', a line 'left "
      "right score' for each match, and an empty line.\n\n"
      "  trellis match predict graphs.txt --model m.trellis\n"
      "  trellis match predict --pair cat.png lion.png --model shapes.trellis");
  command.option("files", call->input.files,
                 "Graph files, or lists of pairs for a model of shapes; '-' is standard input");
  command.option("--pair", call->input.shapes, "Two shapes, instead of a list of pairs").takes(2);
  command.option("--model", call->model, "The model").required();
  command.option("--output", call->output, "Where to write; '-' or nothing: standard output");
  command.option("--k-best", call->options.k_best, "The K best matchings of each graph, best first")
      .between(1, 1 << 20)
      .shows_default();
  command.flag("--marginals", call->options.marginals,
               "Write the probability of each match (at most 24 nodes on a side), and of the "
               "matching; meant for models of --estimator map");
  cli::add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct EvaluateCall {
  cli::CommonOptions common;
  std::vector<std::string> files;
  std::string model;
  std::string report;
  bool per_graph = false;
};

int run(const EvaluateCall& call) {
  const MatchModel model = MatchModel::read(call.model);
  const auto examples = read_examples(call.files, model.features(), call.common.threads);
  const MatchScores scores = evaluate(Matcher(model), examples, call.common.threads);
  cli::print(call.common.json ? scores.to_json() + "\n" : scores.to_text(call.per_graph));
  cli::write_page(call.report, [&] {
    report::MatchReport page = report::model_page(model, "Evaluation of " + call.model);
    report::add_evaluation(model, examples, call.files.front(), call.common.threads, page);
    return match_report(page);
  });
  return 0;
}

void add_evaluate(cli::Command& match) {
  auto call = std::make_shared<EvaluateCall>();
  cli::Command command = match.command(
      "evaluate",
      "Match graphs or shapes whose truth is known, and compare: the share of nodes with the wrong "
      "partner, and of graphs without a mistake.");
  command.option("files", call->files, "Graph files, or lists of pairs for a model of shapes")
      .required();
  command.option("--model", call->model, "The model").required();
  command.flag("--per-graph", call->per_graph, "A line for each graph as well");
  command.option("--report", call->report, "Write a page with scores, weights and pairs");
  cli::add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  std::string report;
  Index top = 20;
};

int run(const InspectCall& call) {
  const MatchModel model = MatchModel::read(call.model);
  cli::print(call.common.json ? inspect_json(model, call.top) + "\n"
                              : inspect_text(model, call.model, call.top));
  cli::write_page(call.report, [&] {
    return match_report(report::model_page(model, "The model " + call.model));
  });
  return 0;
}

void add_inspect(cli::Command& match) {
  auto call = std::make_shared<InspectCall>();
  cli::Command command = match.command(
      "inspect", "What a model has learned: what speaks for a match, and what against it.");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Weights to print").shows_default();
  command.option("--report", call->report, "Write a page with the weights");
  cli::add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

}  // namespace

void add_match(cli::Program& program) {
  cli::Command match = program.task(
      "match",
      "Learn which node belongs to which: bipartite graphs with features on their edges, points of "
      "two shapes.\n\n"
      "Graphs are text (a block of edges each); shapes are point files, frames of a table, or "
      "silhouettes in pictures, and come as lists of pairs. docs/matching.md says more.");
  add_train(match);
  add_predict(match);
  add_evaluate(match);
  add_inspect(match);
}

}  // namespace trellis::match
