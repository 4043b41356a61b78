#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/formats/queries/score_reader.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/scorers/letor_scripts.h"
#include "trellis/tasks/rank/commands/report_data.h"
#include "trellis/tasks/rank/inspect.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/rank_report.h"
#include "trellis/tasks/rank/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::rank {
namespace {

using frame::Command;
using frame::Findings;

// How a figure counts, in training and in evaluation.
void add_figure_options(Command& command, Ndcg& ndcg, Empty& empty, const std::string& of) {
  command.option(
      "--ndcg", ndcg,
      of + "Variant of NDCG: standard: (2^grade - 1)/log2(1 + j); letor: as in LETOR's scripts, "
           "where the first two positions have equal weight; linear: grade/log2(1 + j)");
  command.option("--empty", empty, "Score of a query without a relevant document: 0, 1 or skip");
}

using TrainCall = frame::TrainCall<TrainFiles, TrainOptions>;

void add_data_options(Command& command, TrainOptions& options) {
  command.group("Data");
  command.option("--normalize", options.normalization,
                 "Normalisation of features: minmax, zscore: within each query; scale: by the "
                 "spread within the training queries; none");
  options.race = standard_race();
  const auto expansion = [&options](const std::string& spec) {
    options.race = spec == "auto" ? standard_race() : std::vector<Expansion>();
    return spec == "auto" ? Expansion{} : Expansion::parse(spec);
  };
  command
      .parsed(
          "--expand", options.expansion, expansion,
          "Additional features, computed from the others: none, binned:B (piecewise linear, B "
          "knots each), random:K (random Fourier features) or trees:K,L (leaves of K boosted "
          "trees, up to L each; trees: trees:100,8); auto: the best of none, binned:8 and trees")
      .shows("auto");
}

void add_subset_options(Command& command, SubsetOptions& subsets) {
  command.group("Subsets");
  command
      .option("--size", subsets.size,
              "Number M of documents in a subset [the number of grades, at least 2]")
      .shows("");
  const auto fraction = [&subsets](const std::string& text) {
    subsets.all = text == "all";
    const auto number = subsets.all ? subsets.fraction : parse_double(text);
    if (!number) throw UsageError(fmt::format("--subsets is '{}': expected a number or all", text));
    return *number;
  };
  command
      .parsed("--subsets", subsets.fraction, fraction,
              "Number of subsets drawn from a query with D documents, as a multiple of D M; all: "
              "all subsets (--size 2 or 3)")
      .shows(fmt::format("{}", subsets.fraction));
  command.option(
      "--position", subsets.position,
      "Weight c(j) of position j of M: M-j, 1/log (as in NDCG), 1/j, or root, (1 + j)^(-1/4)");
  command.option("--ties", subsets.ties,
                 "Treatment of documents with equal grades: level: their order is ignored; sample: "
                 "a randomly drawn order is the true one");
}

void add_options(Command& command, TrainCall& call) {
  TrainOptions& options = call.options;
  command.option("files", call.files.files, "Files of graded documents").required();
  command.short_help({"--normalize", "--expand", "--size", "--subsets", "--select", "--estimator"});
  add_data_options(command, options);
  add_subset_options(command, options.subsets);
  command.group("Scores");
  const auto selection = [](const std::string& name) { return Selection(name); };
  command
      .parsed("--select", options.select, selection,
              "Score by which --dev and --cv choose: ndcg@1 ... ndcg@10, mean (of these) or map")
      .shows(options.select.to_string());
  add_figure_options(command, options.ndcg, options.empty,
                     "For --select and for the cost of training: ");
  command.group("Learning");
  command.option("--estimator", options.estimator,
                 "Another name of the loss\n"
                 "map: RankMatch, maximum a posteriori weights, exact over all orders of a subset "
                 "(--loss crf)\n"
                 "max-margin: DORM, with the cost 1 - NDCG (--loss svm)");
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  const frame::TrainingFlags& flags = call.flags;
  require_readable(call.files.files);
  call.files.dev = flags.dev;
  const Trained trained = train_files(call.files, call.options, events);
  return frame::outcome_of(flags, trained, [&] {
    return report::rank_report(
        training_report(trained, "Training of " + flags.model, call.options, flags.dev));
  });
}

void add_train(Command& rank) {
  frame::add_training<TrainCall>(
      rank, defaults(), able(),
      {"Train a ranker.\n\n"
       "  trellis rank train train.txt --dev vali.txt --model m.trellis\n"
       "  trellis rank train train.txt.gz --cv 5 --select ndcg@10 --model m.trellis\n"
       "  trellis rank train train.txt --estimator max-margin --gap 1e-4 --model m.trellis\n\n"
       "Without --lambda, --c or --radius, lambda is chosen among 10 ... 0.003 by --dev or by "
       "folds; without --expand, so is --expand.",
       ", by --select", "curves, weights and scores"},
      add_options, run_train);
}

void add_predict(Command& rank) {
  struct Call : frame::ModelCall {
    bool scores = false;
    bool sorted = false;
  };
  frame::add_predict<RankModel, Call>(
      rank,
      {"predict",
       "Write a line for each document, in the order of the file: query, rank, score and note, "
       "separated by tabs. Scores are comparable only within a query.\n\n"
       "  trellis rank predict test.txt --model m.trellis --sorted",
       "Documents, with or without grades"},
      [](Command& command, Call& call) {
        command.flag("--scores", call.scores,
                     "Write only the score on each line (for LETOR's scripts)");
        command.flag("--sorted", call.sorted,
                     "Write the documents of each query in the order of their rank");
      },
      [](const RankModel& model, Call& call, OutputFile& out) {
        const Rendering rendering = call.scores   ? Rendering::kScores
                                    : call.json   ? Rendering::kJson
                                    : call.sorted ? Rendering::kSorted
                                                  : Rendering::kLines;
        predict(model, call.input(), rendering, {call.threads, call.piped()},
                [&](std::string_view text) { out.write(text); });
        return Findings{};
      });
}

struct EvaluateCall : frame::ModelCall {
  EvaluateOptions options;
  std::optional<Convention> convention;
  bool per_query = false;
};

void add_evaluate_options(Command& command, EvaluateCall& call) {
  command.flag("--per-query", call.per_query, "Print a line for each query as well");
  add_figure_options(command, call.options.ndcg, call.options.empty, "");
  command.option("--convention", call.convention,
                 "Print exactly what the script of a collection prints: Eval-Score-3.0.pl, "
                 "Eval-Score-4.0.pl or eval-score-mslr.pl");
  const char* own = "the script defines its own scores";
  const char* printed = "it prints the output of a script";
  command.at("convention")
      .excludes("ndcg", own)
      .excludes("empty", own)
      .excludes("json", printed)
      .excludes("report", printed);
}

Findings findings_of(const EvaluateCall& call, const RankScores& scores, report::RankReport page) {
  Findings found =
      frame::answer(call, scores.record(call.per_query), scores.to_text(call.per_query));
  if (call.report.empty()) return found;
  page.evaluated_on = call.file;
  page.scores = scores;
  found.page = report::rank_report(page);
  return found;
}

std::optional<Findings> check_evaluate(EvaluateCall& call) {
  if (call.convention && call.predictions.empty() && call.piped()) {
    throw UsageError("--convention with a model reads the file twice: the file cannot be a pipe");
  }
  return std::nullopt;
}

Findings by_script(const EvaluateCall& call, ScoreReader scores) {
  return {letor_scores(call.input(), std::move(scores), *call.convention, call.per_query)};
}

Findings evaluate_model(const RankModel& model, EvaluateCall& call) {
  call.options.threads = call.threads;
  if (!call.convention) {
    return findings_of(call, evaluate(model, call.input(), call.options),
                       model_report(model, frame::evaluation_title(call)));
  }
  std::string scores;
  predict(model, call.input(), Rendering::kScores, {call.threads},
          [&](std::string_view text) { scores += text; });
  return by_script(call, ScoreReader(InputFile::from_bytes(scores, "<ranker>")));
}

Findings evaluate_predictions(EvaluateCall& call) {
  ScoreReader scores{InputFile(call.predictions)};
  if (call.convention) return by_script(call, std::move(scores));
  report::RankReport page;
  page.title = frame::evaluation_title(call);
  return findings_of(call, evaluate(call.input(), std::move(scores), call.options),
                     std::move(page));
}

void add_evaluate(Command& rank) {
  frame::add_evaluate<RankModel, EvaluateCall>(
      rank,
      {"evaluate",
       "Rank the documents of a graded file and compare: NDCG, MAP and precision.\n\n"
       "  trellis rank evaluate test.txt --model m.trellis --per-query\n"
       "  trellis rank evaluate test.txt --predictions scores.txt --convention letor4",
       "Graded documents", "scores and weights", false,
       "the output of predict (without --sorted), or one score per line"},
      add_evaluate_options, evaluate_model, evaluate_predictions, check_evaluate);
}

void add_inspect(Command& rank) {
  frame::add_inspect<RankModel>(
      rank,
      {"Show what a model has learned: which features raise or lower a document.", 20,
       "Number of weights to print"},
      [](const RankModel& model, frame::InspectCall& call) {
        return frame::answer(call, inspect_record(model, call.top),
                             inspect_text(model, call.model, call.top));
      });
}

}  // namespace

frame::Task task() {
  return {"rank", "train train.txt --dev vali.txt --model m.trellis",
          "Ranking: order the documents of a query, the most relevant first.\n\n"
          "Files are in the SVMlight format of LETOR: one document per line, the documents of "
          "a query together:\n"
          "  2 qid:10 1:0.5 3:0.25 # a note",
          [](Command& rank) {
            add_train(rank);
            add_predict(rank);
            add_evaluate(rank);
            add_inspect(rank);
          }};
}

}  // namespace trellis::rank
