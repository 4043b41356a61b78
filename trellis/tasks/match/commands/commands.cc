#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/match/inspect.h"
#include "trellis/tasks/match/judge_file.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_report.h"
#include "trellis/tasks/match/matcher.h"
#include "trellis/tasks/match/predict.h"
#include "trellis/tasks/match/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::match {
namespace {

using frame::Command;
using frame::Findings;

struct TrainCall : frame::TrainCall<TrainFiles, TrainOptions> {
  std::string centre = "auto";  // as it was written
};

void add_data_options(Command& command, TrainCall& call) {
  command.option("files", call.files.files, "Graph files; with --pairs lists of pairs").required();
  command.short_help({"--pairs", "--cover", "--normalize", "--estimator"});
  command.group("Data");
  command.flag("--pairs", call.files.pairs,
               "The files are lists of pairs of shapes: points, frames or silhouettes");
  command
      .option("--dev", call.flags.dev_files,
              "Held-out files of the same kind, for early stopping (the best epoch is kept), "
              "for the choice of lambda and other settings, and for a final test")
      .same_bits();
  command.option("--cover", call.files.cover,
                 "Nodes that a matching covers\n"
                 "perfect: every node of the smaller side is matched\n"
                 "partial: nodes may stay unmatched (supports no smooth losses)");
  command.option("--normalize", call.options.normalize,
                 "Scaling of features to a root mean square of 1 during training: each feature "
                 "separately, all by a common factor, or none\n"
                 "automatic: common for shapes, each for graphs");
  command.option(
      "--centre", call.centre,
      "Centre of the regularisation: a stronger penalty keeps the weights closer to it\n"
      "none: 0\n"
      "unlearned: the score of --estimator distance (shapes)\n"
      "FILE: the weights of a model with the same features, to adapt it\n"
      "auto: for shapes the better of unlearned and none, chosen with lambda; for graphs none");
  command.option("--estimator", call.options.estimator,
                 "max-margin: the true matching must win by a margin that grows with the number of "
                 "wrong matches (--loss svm)\n"
                 "map: maximum likelihood of the true matching; gives probabilities (--loss crf)\n"
                 "distance: distances of shape contexts without learning, as a baseline\n"
                 "[the estimator of --loss; max-margin without --loss]");
}

void add_shape_options(Command& command, ContextOptions& contexts) {
  command.group("Shapes");
  command.option("--points", contexts.points,
                 "Number of points sampled on the outline of a silhouette without given points");
  command.option("--outline", contexts.outline,
                 "Number of outline points from which shape contexts are computed");
  command.option("--rings", contexts.rings, "Number of rings of a shape context");
  command.option("--sectors", contexts.sectors, "Number of sectors of a shape context");
  command.option("--inner", contexts.inner,
                 "Outer radius of the first ring, in mean distances between points");
  command.option("--outer", contexts.outer,
                 "Outer radius of the last ring, in mean distances between points");
  command.option("--difference", contexts.difference,
                 "Difference of two shape contexts, computed for each bin");
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const MatchModel& model = *trained.model;
  const TrainFiles& files = call.files;
  report::MatchReport page = report::model_page(model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  const auto& shown = files.dev.empty() ? files.files : files.dev;
  const int threads = call.flags.common.threads;
  report::add_evaluation(model, read_examples(shown, model.features(), threads),
                         files.dev.empty() ? shown.front() + " (the training set)" : shown.front(),
                         threads, page);
  return match_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  call.files.dev = call.flags.dev_files;
  call.options.centre = parse_centre(call.centre);
  const Trained trained = train_files(call.files, call.options, events);
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& match) {
  frame::add_training<TrainCall>(
      match, defaults(), able(),
      {"Train a matcher.\n\n"
       "  trellis match train graphs.txt --dev more-graphs.txt --model m.trellis\n"
       "  trellis match train --pairs train.list --cv 5 --estimator map --model m.trellis\n\n"
       "Without --lambda, --c or --radius, lambda is chosen by --dev or --cv; without these, "
       "margin losses choose it by 5 folds (from 5 graphs or 2 pairs of shapes on). Folds are "
       "blocks of neighbouring shapes.",
       "", "curves, weights, and pairs of the dev set"},
      [](Command& command, TrainCall& call) {
        add_data_options(command, call);
        add_shape_options(command, call.files.contexts);
      },
      run_train);
}

void add_predict(Command& match) {
  struct Call : frame::ModelCall {
    PredictInput input;
    PredictOptions options;
  };
  frame::add_predict<MatchModel, Call>(
      match,
      {"predict",
       "Write the best matching of each graph: a line 'graph NAME LEFT RIGHT score S', a line "
       "'left right score' for each match, and an empty line.\n\n"
       "  trellis match predict graphs.txt --model m.trellis\n"
       "  trellis match predict --pair cat.png lion.png --model shapes.trellis"},
      [](Command& command, Call& call) {
        command.option(
            "files", call.input.files,
            "Graph files, or lists of pairs for a model of shapes; '-' is standard input");
        command
            .option("--pair", call.input.shapes, "Two shapes to match, instead of a list of pairs")
            .takes(2);
        command
            .option("--k-best", call.options.k_best,
                    "Number of best matchings to write for each graph, best first")
            .between(1, 1 << 20);
        command.flag("--marginals", call.options.marginals,
                     "Write the probability of each match and of the matching (at most 24 nodes on "
                     "a side); meant for models of --estimator map");
      },
      [](const MatchModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        predict(model, call.input, call.options, out);
        return Findings{};
      });
}

struct EvaluateCall : frame::ModelCall {
  std::vector<std::string> files;
  bool pairs = false;
  bool per_graph = false;
};

Findings evaluate_model(const MatchModel& model, EvaluateCall& call) {
  const auto examples = read_examples(call.files, model.features(), call.threads);
  const MatchScores scores = evaluate(Matcher(model), examples, call.threads);
  Findings found = frame::answer(call, scores.record(), scores.to_text(call.per_graph));
  if (!call.report.empty()) {
    report::MatchReport page = report::model_page(model, frame::evaluation_title(call));
    report::add_evaluation(model, examples, call.files.front(), call.threads, page);
    found.page = match_report(page);
  }
  return found;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const auto examples = read_truths(call.files, call.pairs, {}, call.threads);
  const MatchScores scores = judge_file(examples, InputFile(call.predictions));
  Findings found = frame::answer(call, scores.record(), scores.to_text(call.per_graph));
  if (!call.report.empty()) {
    report::MatchReport page;
    page.title = frame::evaluation_title(call);
    page.evaluated_on = call.files.front();
    page.scores = scores;
    found.page = match_report(page);
  }
  return found;
}

void add_evaluate(Command& match) {
  frame::add_evaluate<MatchModel, EvaluateCall>(
      match,
      {"evaluate",
       "Match graphs or shapes with true matches, and compare: the percentage of nodes with a "
       "wrong partner, and of graphs without a mistake.\n\n"
       "  trellis match evaluate graphs.txt --model m.trellis\n"
       "  trellis match evaluate graphs.txt --predictions matchings.txt",
       "", "scores, weights and pairs", false, "the output of predict (without --k-best)"},
      [](Command& command, EvaluateCall& call) {
        command.option("files", call.files, "Graph files, or lists of pairs for a model of shapes")
            .required();
        command
            .flag("--pairs", call.pairs,
                  "The files are lists of pairs of shapes (with --predictions)")
            .needs("predictions", "a model stores whether it was trained on pairs");
        command.flag("--per-graph", call.per_graph, "Print a line for each graph as well");
      },
      evaluate_model, evaluate_predictions);
}

void add_inspect(Command& match) {
  frame::add_inspect<MatchModel>(
      match,
      {"Show what a model has learned: the strongest weights for and against a match.", 20,
       "Number of weights to print", "the weights"},
      [](const MatchModel& model, frame::InspectCall& call) {
        Findings found = frame::answer(call, inspect_record(model, call.top),
                                       inspect_text(model, call.model, call.top));
        if (!call.report.empty()) {
          found.page = match_report(report::model_page(model, "The model " + call.model));
        }
        return found;
      });
}

}  // namespace

frame::Task task() {
  return {"match", "train graphs.txt --model m.trellis",
          "Matching: pairs of nodes in bipartite graphs or two shapes.\n\n"
          "Graphs are text (a block of edges each); shapes are point files, frames of a "
          "table, or silhouettes in pictures, given as lists of pairs. See docs/matching.md.",
          [](Command& match) {
            add_train(match);
            add_predict(match);
            add_evaluate(match);
            add_inspect(match);
          }};
}

}  // namespace trellis::match
