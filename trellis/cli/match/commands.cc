#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/training_command.h"
#include "trellis/data/json.h"
#include "trellis/tasks/match/inspect.h"
#include "trellis/tasks/match/judge_file.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_report.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/predict.h"
#include "trellis/tasks/match/train.h"

namespace trellis::match {
namespace {

using cli::Command;
using cli::Findings;

struct TrainCall : cli::TrainCall<TrainFiles, TrainOptions> {
  std::string centre = "auto";  // as it was written
};

void add_data_options(Command& command, TrainCall& call) {
  command.option("files", call.files.files, "Graph files; with --pairs lists of pairs").required();
  command.group("Data");
  command.flag("--pairs", call.files.pairs,
               "The files are lists of pairs of shapes: points, frames or silhouettes");
  command.option("--dev", call.flags.dev_files,
                 "Held-out files of the same kind: watched for early stopping, the best epoch is "
                 "kept, lambda and other settings are chosen by them, and they are tested on");
  command.option("--cover", call.files.cover,
                 "perfect: every node of the smaller side is matched\npartial: nodes may stay "
                 "single (no sums, hence no smooth losses)");
  command.option("--normalize", call.options.normalize,
                 "Scale features to a root mean square of 1 while learning: each by its own "
                 "number, all by a common one, or none\nautomatic: common for shapes, each for "
                 "graphs");
  command.option(
      "--centre", call.centre,
      "What weights are held to, which is what a strong penalty leaves\n"
      "none: 0\n"
      "unlearned: the score of --estimator distance (shapes)\n"
      "FILE: the weights of a model of the same features, which is adapted\n"
      "auto: for shapes the better of unlearned and none, chosen with lambda; for graphs "
      "none");
  command.option("--estimator", call.options.estimator,
                 "max-margin: the true matching wins by its distance from others (the loss svm)\n"
                 "map: the likelihood of the true matching, which has probabilities (the loss "
                 "crf)\n"
                 "distance: nothing is learned; the distance of shape contexts, to compare with\n"
                 "[what the loss says: max-margin where that is not said either]");
}

void add_shape_options(Command& command, ContextOptions& contexts) {
  command.group("Shapes");
  command.option("--points", contexts.points,
                 "Points sampled on the outline of a silhouette that brings none");
  command.option("--outline", contexts.outline,
                 "Points of an outline that shape contexts are made of");
  command.option("--rings", contexts.rings, "Of a shape context");
  command.option("--sectors", contexts.sectors, "Of a shape context");
  command.option("--inner", contexts.inner,
                 "Where the first ring ends, in mean distances between points");
  command.option("--outer", contexts.outer, "Where the last ring ends");
  command.option("--difference", contexts.difference, "Of two shape contexts, bin by bin");
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

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  call.files.dev = call.flags.dev_files;
  call.options.centre = parse_centre(call.centre);
  const Trained trained = train_files(call.files, call.options, events);
  return cli::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& match) {
  cli::add_training<TrainCall>(
      match, defaults(), able(),
      {"Train a matcher.\n\n"
       "  trellis match train graphs.txt --dev more-graphs.txt --model m.trellis\n"
       "  trellis match train --pairs train.list --cv 5 --estimator map --model m.trellis\n\n"
       "Where nothing says how weights are held (--lambda, --c, --radius), lambda is chosen by "
       "--dev "
       "or --cv; with neither, losses with a margin choose it in 5 folds where there are 5 "
       "graphs, or 2 pairs of shapes. Folds are blocks of neighbouring shapes.",
       "", "curves, weights, and pairs of the dev set"},
      [](Command& command, TrainCall& call) {
        add_data_options(command, call);
        add_shape_options(command, call.files.contexts);
      },
      run_train);
}

void add_predict(Command& match) {
  struct Call : cli::ModelCall {
    PredictInput input;
    PredictOptions options;
  };
  cli::add_predict<MatchModel, Call>(
      match,
      {"predict",
       "Who belongs to whom: for each graph a line 'graph NAME LEFT RIGHT score S', a line 'left "
       "right score' for each match, and an empty line.\n\n"
       "  trellis match predict graphs.txt --model m.trellis\n"
       "  trellis match predict --pair cat.png lion.png --model shapes.trellis"},
      [](Command& command, Call& call) {
        command.option(
            "files", call.input.files,
            "Graph files, or lists of pairs for a model of shapes; '-' is standard input");
        command.option("--pair", call.input.shapes, "Two shapes, instead of a list of pairs")
            .takes(2);
        command
            .option("--k-best", call.options.k_best,
                    "The K best matchings of each graph, best first")
            .between(1, 1 << 20);
        command.flag("--marginals", call.options.marginals,
                     "Write the probability of each match (at most 24 nodes on a side), and of "
                     "the matching; meant for models of --estimator map");
      },
      [](const MatchModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        predict(model, call.input, call.options, out);
        return Findings{};
      });
}

struct EvaluateCall : cli::ModelCall {
  std::vector<std::string> files;
  bool pairs = false;
  bool per_graph = false;
};

Findings evaluate_model(const MatchModel& model, EvaluateCall& call) {
  const auto examples = read_examples(call.files, model.features(), call.threads);
  const MatchScores scores = evaluate(Matcher(model), examples, call.threads);
  Findings found{call.json ? to_json(scores.record()) : scores.to_text(call.per_graph)};
  if (!call.report.empty()) {
    report::MatchReport page = report::model_page(model, cli::evaluation_title(call));
    report::add_evaluation(model, examples, call.files.front(), call.threads, page);
    found.page = match_report(page);
  }
  return found;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const auto examples = read_truths(call.files, call.pairs, {}, call.threads);
  const MatchScores scores = judge_file(examples, InputFile(call.predictions));
  Findings found{call.json ? to_json(scores.record()) : scores.to_text(call.per_graph)};
  if (!call.report.empty()) {
    report::MatchReport page;
    page.title = cli::evaluation_title(call);
    page.evaluated_on = call.files.front();
    page.scores = scores;
    found.page = match_report(page);
  }
  return found;
}

void add_evaluate(Command& match) {
  cli::add_evaluate<MatchModel, EvaluateCall>(
      match,
      {"evaluate",
       "Match graphs or shapes whose truth is known, and compare: the share of nodes with the "
       "wrong partner, and of graphs without a mistake.\n\n"
       "  trellis match evaluate graphs.txt --model m.trellis\n"
       "  trellis match evaluate graphs.txt --predictions matchings.txt",
       "", "scores, weights and pairs", false, "what predict writes (not --k-best)"},
      [](Command& command, EvaluateCall& call) {
        command.option("files", call.files, "Graph files, or lists of pairs for a model of shapes")
            .required();
        command.flag("--pairs", call.pairs, "With --predictions: the files are lists of pairs");
        command.flag("--per-graph", call.per_graph, "A line for each graph as well");
      },
      evaluate_model, evaluate_predictions,
      [](EvaluateCall& call) -> std::optional<Findings> {
        if (call.pairs && call.predictions.empty()) {
          throw UsageError("--pairs is for --predictions: a model knows what it was trained on");
        }
        return std::nullopt;
      });
}

void add_inspect(Command& match) {
  cli::add_inspect<MatchModel>(
      match,
      {"What a model has learned: what speaks for a match, and what against it.", 20,
       "Weights to print", "the weights"},
      [](const MatchModel& model, cli::InspectCall& call) {
        Findings found{call.json ? to_json(inspect_record(model, call.top))
                                 : inspect_text(model, call.model, call.top)};
        if (!call.report.empty()) {
          found.page = match_report(report::model_page(model, "The model " + call.model));
        }
        return found;
      });
}

}  // namespace

void add_match(cli::Program& program) {
  program.task(
      "match",
      "Which node belongs to which: of bipartite graphs, of two shapes.\n\n"
      "Graphs are text (a block of edges each); shapes are point files, frames of a table, or "
      "silhouettes in pictures, and come as lists of pairs. docs/matching.md says more.",
      [](Command& match) {
        add_train(match);
        add_predict(match);
        add_evaluate(match);
        add_inspect(match);
      });
}

}  // namespace trellis::match
