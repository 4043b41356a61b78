#include "trellis/cli/rank/commands.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/output_file.h"
#include "trellis/base/text.h"
#include "trellis/cli/console.h"
#include "trellis/cli/rank/report_data.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/rank_report.h"
#include "trellis/tasks/rank/evaluate.h"
#include "trellis/tasks/rank/predict.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::rank {
namespace {

using cli::Command;
using Clock = std::chrono::steady_clock;

// How a figure counts, in training and in evaluation.
struct FigureFlags {
  std::string ndcg = "standard";
  std::string empty = "0";

  void add(Command& command, const std::string& of) {
    command
        .option("--ndcg", ndcg,
                of + "standard: (2^grade - 1)/log2(1 + j); letor: LETOR's scripts, whose first two "
                     "positions count the same; linear: grade/log2(1 + j)")
        .one_of({"standard", "letor", "linear"})
        .shows_default();
    command
        .option("--empty", empty, "What a query without a relevant document counts: 0, 1 or skip")
        .one_of({"0", "1", "skip"})
        .shows_default();
  }
};

struct TrainCall {
  cli::TrainingFlags flags;
  TrainOptions options;
  std::vector<std::string> files;
  std::string estimator;
  std::string normalize = std::string(to_string(TrainOptions().normalization));
  std::string expand = "none";
  std::string subsets = "0.4";
  std::string position = "M-j";
  std::string ties = "level";
  std::string select = "mean";
  FigureFlags figure;
};

void resolve(TrainCall& call) {
  TrainOptions& options = call.options;
  options.training = call.flags.options;
  if (!call.estimator.empty()) options.estimator = parse_estimator(call.estimator);
  options.normalization = parse_normalization(call.normalize);
  options.expansion = Expansion::parse(call.expand);
  options.subsets.all = call.subsets == "all";
  if (!options.subsets.all) {
    const auto fraction = parse_double(call.subsets);
    if (!fraction) {
      throw UsageError(fmt::format("--subsets is a number or all, not '{}'", call.subsets));
    }
    options.subsets.fraction = *fraction;
  }
  options.subsets.position = parse_position(call.position);
  options.subsets.ties = parse_ties(call.ties);
  options.select = Selection(call.select);
  options.ndcg = parse_ndcg(call.figure.ndcg);
  options.empty = parse_empty(call.figure.empty);
}

std::vector<std::string> notes_of(const TrainResult& result, const std::string& dev) {
  std::vector<std::string> notes;
  if (result.lambda > 0) notes.push_back(fmt::format("lambda {:g}", result.lambda));
  if (result.dev) {
    notes.push_back(fmt::format("best on {}: NDCG@1 {:.4f}, NDCG@10 {:.4f}, MAP {:.4f}", dev,
                                result.dev->ndcg(1), result.dev->ndcg(10), result.dev->map()));
  }
  return notes;
}

RankData read_files(const std::vector<std::string>& paths) {
  return read_rank_data(std::vector<InputFile>(paths.begin(), paths.end()));
}

cli::TrainingOutcome run(TrainCall& call, const TrainEvents& events) {
  const cli::TrainingFlags& flags = call.flags;
  resolve(call);
  plan(call.options, !flags.dev.empty());  // a refusal comes before any file is read
  const Clock::time_point start = Clock::now();
  const RankData data = read_files(call.files);
  std::optional<RankData> dev;
  if (!flags.dev.empty()) dev = read_files({flags.dev});
  const double read_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  auto trained =
      std::make_shared<const Trained>(train(data, dev ? &*dev : nullptr, call.options, events));
  const TrainResult& result = trained->result;
  cli::TrainingOutcome outcome;
  outcome.interrupted = result.learned.interrupted;
  if (outcome.interrupted) return outcome;
  trained->model->write(flags.model);
  result.learned.stages->discard();
  outcome.json = result.to_json(read_seconds);
  outcome.summary = result.learned.fitted.summary;
  outcome.notes = notes_of(result, flags.dev);
  outcome.page = [trained, &call] {
    return report::rank_report(
        training_report(*trained, "Training of " + call.flags.model, call.options, call.flags.dev));
  };
  return outcome;
}

void add_data_options(Command& command, TrainCall& call) {
  command.group("Data");
  command
      .option("--normalize", call.normalize,
              "minmax, zscore: each feature within its query; scale: by the spread within the "
              "training queries; none")
      .one_of({"none", "scale", "minmax", "zscore"})
      .shows_default();
  command
      .option("--expand", call.expand,
              "Functions of the features besides: binned:B (piecewise linear, B knots each) or "
              "random:K (random Fourier features)")
      .shows_default();
}

void add_subset_options(Command& command, TrainCall& call) {
  command.group("Subsets");
  command.option("--size", call.options.subsets.size,
                 "M: documents of a subset [the number of grades, at least 2]");
  command
      .option("--subsets", call.subsets,
              "So many times D M subsets of a query with D documents, or all (for sizes 2, 3)")
      .shows_default();
  command
      .option("--position", call.position,
              "c(j), what position j of M counts: M-j, 1/log (as in NDCG), 1/j, or root, (1 + "
              "j)^(-1/4)")
      .one_of({"M-j", "1/log", "1/j", "root"})
      .shows_default();
  command
      .option("--ties", call.ties,
              "Documents of one grade: level, their order has no say; sample: the order drawn "
              "counts as true")
      .one_of({"level", "sample"})
      .shows_default();
}

void add_figure_options(Command& command, TrainCall& call) {
  command.group("Figures");
  command
      .option("--select", call.select,
              "What --dev and --cv go by: ndcg@1 ... ndcg@10, mean (of these) or map")
      .shows_default();
  call.figure.add(command, "Of that figure and of the cost. ");
}

void add_train(Command& rank) {
  auto call = std::make_shared<TrainCall>();
  Command command = rank.command(
      "train",
      "Train a ranker.\n\n"
      "  trellis rank train train.txt --dev vali.txt --model m.trellis\n"
      "  trellis rank train train.txt.gz --cv 5 --select ndcg@10 --model m.trellis\n"
      "  trellis rank train train.txt --estimator max-margin --gap 1e-4 --model m.trellis\n\n"
      "Where --dev or --cv is there to choose by, and nothing holds the weights (--c, --lambda, "
      "--radius), lambda is chosen among 10 ... 0.003.");
  command.option("files", call->files, "Files of graded documents").required();
  add_data_options(command, *call);
  add_subset_options(command, *call);
  add_figure_options(command, *call);
  command.group("Learning");
  command
      .option("--estimator", call->estimator,
              "The loss by its other name. map: RankMatch, the most probable weights, exact over "
              "all orders of a subset (crf)\n"
              "max-margin: DORM, with the cost 1 - NDCG (svm)")
      .one_of({"map", "max-margin"});
  add_training_flags(command, call->flags, defaults(), able(),
                     {", by --select", "curves, weights and scores"});
  command.run([call] {
    return run_training(call->flags, [&](const TrainEvents& events) { return run(*call, events); });
  });
}

struct PredictCall {
  cli::CommonOptions common;
  std::string file = "-";
  std::string model;
  std::string output;
  bool scores = false;
  bool sorted = false;
};

int run(const PredictCall& call) {
  const RankModel model = RankModel::read(call.model);
  const Rendering rendering = call.scores        ? Rendering::kScores
                              : call.common.json ? Rendering::kJson
                              : call.sorted      ? Rendering::kSorted
                                                 : Rendering::kLines;
  const bool piped = call.file == "-";
  OutputFile out(call.output);
  predict(model, InputFile(call.file), rendering, {call.common.threads, piped},
          [&](std::string_view text) {
            out.write(text);
            if (piped) out.flush();
          });
  out.commit();
  return 0;
}

void add_predict(Command& rank) {
  auto call = std::make_shared<PredictCall>();
  Command command = rank.command(
      "predict",
      "A line for each document, in the order of the file: its query, its rank, its score and its "
      "note, with tabs between. Scores compare documents of one query alone.\n\n"
      "  trellis rank predict test.txt --model m.trellis --sorted");
  command.option("file", call->file,
                 "Documents, with or without grades; '-' or nothing: standard input");
  command.option("--model", call->model, "The model").required();
  command.option("--output", call->output, "Where to write; '-' or nothing: standard output");
  command.flag("--scores", call->scores, "The score alone on each line (for LETOR's scripts)");
  command.flag("--sorted", call->sorted, "The documents of each query by rank");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct EvaluateCall {
  cli::CommonOptions common;
  std::string file;
  std::string model;
  std::string report;
  bool per_query = false;
  FigureFlags figure;
};

int run(const EvaluateCall& call) {
  const RankModel model = RankModel::read(call.model);
  const RankScores scores =
      evaluate(model, InputFile(call.file),
               {parse_ndcg(call.figure.ndcg), parse_empty(call.figure.empty), call.common.threads});
  cli::print(call.common.json ? scores.to_json(call.per_query).dump() + "\n"
                              : scores.to_text(call.per_query));
  cli::write_page(call.report, [&] {
    report::RankReport page = model_report(model, "Evaluation of " + call.model);
    page.evaluated_on = call.file;
    page.scores = scores;
    return report::rank_report(page);
  });
  return 0;
}

void add_evaluate(Command& rank) {
  auto call = std::make_shared<EvaluateCall>();
  Command command =
      rank.command("evaluate",
                   "Rank the documents of a graded file and compare: NDCG, MAP and precision.\n\n"
                   "  trellis rank evaluate test.txt --model m.trellis --per-query");
  command.option("file", call->file, "Graded documents; '-': standard input").required();
  command.option("--model", call->model, "The model").required();
  command.flag("--per-query", call->per_query, "A line for each query as well");
  call->figure.add(command, "");
  command.option("--report", call->report, "Write a page with scores and weights");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  Index top = 20;
};

nlohmann::json to_json(const RankModel& model, Index top) {
  nlohmann::json json;
  json["normalization"] = std::string(to_string(model.features().normalization));
  json["expansion"] = model.features().expansion.to_string();
  json["features"] = model.features().num_columns();
  json["weights"] = model.weights().size();
  json["training"] = model.training();
  json["strongest"] = nlohmann::json::array();
  for (const Index w : strongest_weights(model, top)) {
    json["strongest"].push_back(
        {{"feature", model.features().weight_name(w)}, {"weight", model.weights()[w]}});
  }
  return json;
}

std::string to_text(const RankModel& model, const std::string& name, Index top) {
  const RankFeatures& features = model.features();
  std::string text = fmt::format("{}: {} features, normalized by {}, expansion {}, {} weights\n",
                                 name, features.num_columns(), to_string(features.normalization),
                                 features.expansion.to_string(), model.weights().size());
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  text += "\nraises (+) or lowers (-) a document\n";
  for (const Index w : strongest_weights(model, top)) {
    text += fmt::format("  {:+9.4f}  {}\n", model.weights()[w], features.weight_name(w));
  }
  return text;
}

int run(const InspectCall& call) {
  const RankModel model = RankModel::read(call.model);
  cli::print(call.common.json ? to_json(model, call.top).dump() + "\n"
                              : to_text(model, call.model, call.top));
  return 0;
}

void add_inspect(Command& rank) {
  auto call = std::make_shared<InspectCall>();
  Command command =
      rank.command("inspect", "What a model has learned: which features raise a document.");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Weights to print").shows_default();
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

}  // namespace

void add_rank(cli::Program& program) {
  Command rank = program.task(
      "rank",
      "Put the documents of a query into order, the most relevant first.\n\n"
      "Files are SVMlight's as LETOR has them, a document a line, those of a query together:\n"
      "  2 qid:10 1:0.5 3:0.25 # a note");
  add_train(rank);
  add_predict(rank);
  add_evaluate(rank);
  add_inspect(rank);
}

}  // namespace trellis::rank
