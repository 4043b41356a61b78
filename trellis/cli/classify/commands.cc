#include <fmt/format.h>

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/training_command.h"
#include "trellis/data/json.h"
#include "trellis/tasks/classify/classify_report.h"
#include "trellis/tasks/classify/inspect.h"
#include "trellis/tasks/classify/judge_file.h"
#include "trellis/tasks/classify/predict.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::classify {
namespace {

using cli::Command;
using cli::Findings;

constexpr Index kShownMistakes = 100;

using TrainCall = cli::TrainCall<TrainFiles, TrainOptions>;

void add_data_options(Command& command, TrainCall& call) {
  ReaderOptions& reader = call.files.data.reader;
  command.group("Data");
  command.option("--format", reader.format,
                 "text (columns with tabs) or libsvm (label index:value ...) [the first line "
                 "tells]");
  command.parsed("--columns", reader.columns, TextColumns::parse,
                 "Columns of a text file, with commas: label, text, id, skip [label,text or "
                 "id,label,text]");
  command.option("--label-weight", call.options.label_weights,
                 "LABEL=WEIGHT: what missing this label costs [1]");
}

void add_feature_options(Command& command, DataOptions& data) {
  command.group("Features");
  command.unsetting_flag("--keep-case", data.lowercase, "Do not turn text into lower case");
  command.option("--ngrams", data.ngrams, "Text: up to so many words in a row")
      .between(1, FeatureOptions::kMaxNgrams);
  command.option("--weighting", data.weighting,
                 "binary, count, log (1 + ln count), tfidf, or log-tfidf [text: log-tfidf; libsvm "
                 "and naive Bayes: count]");
  command
      .parsed(
          "--normalize", data.normalize, [](const std::string& word) { return word == "l2"; },
          "l2: every vector has length 1; none [text: l2; libsvm and naive Bayes: none]")
      .one_of({"l2", "none"});
  command.option("--scale", data.scaling,
                 "Columns of one scale: deviation (mean 0, deviation 1), range (-1 to 1), none, or "
                 "auto: deviation where values of libsvm files differ in scale. Columns that are "
                 "mostly 0 keep their zeros: their largest value becomes 1");
  command.option("--min-count", data.min_count, "Drop features that occur in fewer documents");
  command.unsetting_flag("--no-bias", data.bias, "No constant feature");
}

double parse_alpha(const std::string& text) {
  const auto alpha = parse_double(text);
  if (alpha) return *alpha;
  throw UsageError(fmt::format(
      "--alpha is '{}': expected one number above 0{}", text,
      text.find(',') == std::string::npos
          ? ""
          : " (naive Bayes does not choose among several: train with each, and evaluate)"));
}

void add_kernel_options(Command& command, TrainOptions& options) {
  command.group("Kernel");
  command.parsed("--kernel", options.kernel, parse_kernel,
                 "A kernel over the features: linear, poly:DEGREE[:OFFSET] or rbf:GAMMA");
  command.option("--kernel-rank", options.kernel_rank,
                 "Pivots of the kernel at most: fewer are faster and less exact [all it takes]");
  command.flag("--implicit", options.implicit,
               "Learn a coefficient for each training document, without features of the kernel");
  command.group("Naive Bayes");
  command.parsed("--alpha", options.alpha, parse_alpha, "What is added to every count [0.1]");
  command.flag("--complement", options.complement,
               "Estimate from the other labels, for labels of unequal size");
  command.flag("--bernoulli", options.bernoulli,
               "Words are there or not: how often does not count, and what is missing does");
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const TrainResult& result = trained.result;
  report::ClassifyReport page =
      report::model_report(*trained.model, "Training of " + call.flags.model);
  page.history = report::training_points(result.summary());
  page.learned = &result.learned;
  page.subtitle = fmt::format("{} documents, {} labels, {} features; {}", result.documents,
                              result.labels, result.features, cli::ending(result.summary()));
  if (!call.files.dev.empty()) {
    const EvaluateOptions options{"", kShownMistakes, call.flags.common.threads};
    report::add_evaluation(evaluate(*trained.model, InputFile(call.files.dev), options),
                           call.files.dev, page);
  }
  return report::classify_report(page);
}

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  require_readable(call.files.train);
  call.options.naive_bayes = call.flags.learner == kNaiveBayes;
  call.files.dev = call.flags.dev;
  const Trained trained = train_files(call.files, call.options, events);
  if (trained.result.scaling == Scaling::kDeviation) call.flags.remedy.clear();
  return cli::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& classify) {
  cli::TrainingPage page;
  page.description =
      "Train a classifier.\n\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis classify train train.tsv --dev dev.tsv --loss maxent --ngrams 2 --model "
      "m.trellis\n"
      "  trellis classify train train.svm.gz --c auto --cv 5 --gap 1e-4 --model m.trellis\n\n"
      "maxent is another name of the loss crf.";
  page.dev = ", accuracy being what counts";
  page.report = "curves, scores and features";
  page.more_learners = {{kNaiveBayes, "counts words, in one pass"}};
  page.more_losses = {{"maxent", "crf"}};
  page.remedy = "--scale deviation";
  cli::add_training<TrainCall>(
      classify, defaults(), able(), page,
      [](Command& command, TrainCall& call) {
        command.option("files", call.files.train, "Labelled files").required();
        add_data_options(command, call);
        add_feature_options(command, call.files.data);
        add_kernel_options(command, call.options);
      },
      run_train);
}

void add_predict(Command& classify) {
  struct Call : cli::ModelCall {
    PredictOptions options;
  };
  cli::add_predict<ClassifyModel, Call>(
      classify,
      {"predict",
       "A label for each line of a file, with its id before it where the file has such a column.\n"
       "Memory does not grow with the input; what is piped in comes out line by line.",
       "File to classify, with or without labels"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        command.option("--columns", options.stream.columns,
                       "Columns of a text file, with commas: label, text, id, skip [as in "
                       "training, the label may be missing]");
        command.option("--top-k", options.top_k, "The K best labels, best first")
            .between(1, 1U << 31);
        command.flag("--probabilities", options.probabilities,
                     "Write the probability behind each label (models trained with --loss maxent "
                     "or another finite beta, and naive Bayes)");
        command.flag("--scores", options.scores, "Write the score behind each label");
      },
      [](const ClassifyModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.stream.threads = call.threads;
        call.options.stream.at_once = call.piped();
        predict(model, call.input(), call.options, [&](std::string_view line) { out.write(line); });
        return Findings{};
      });
}

struct EvaluateCall : cli::ModelCall {
  EvaluateOptions options;
  Index confusions = 10;
};

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     report::ClassifyReport page) {
  Findings found{call.json ? to_json(evaluation.record(call.confusions))
                           : evaluation.scores.to_text(call.confusions),
                 cli::missed_labels(call.file, evaluation.unseen_labels)};
  if (!call.report.empty()) {
    report::add_evaluation(evaluation, call.file, page);
    found.page = report::classify_report(page);
  }
  return found;
}

Findings evaluate_model(const ClassifyModel& model, EvaluateCall& call) {
  call.options.threads = call.threads;
  call.options.max_mistakes = call.report.empty() ? 0 : kShownMistakes;
  return findings_of(call, evaluate(model, call.input(), call.options),
                     report::model_report(model, cli::evaluation_title(call)));
}

Findings evaluate_predictions(EvaluateCall& call) {
  const JudgeOptions options{call.options.columns, call.report.empty() ? 0 : kShownMistakes};
  report::ClassifyReport page;
  page.title = cli::evaluation_title(call);
  return findings_of(call, judge_file(call.input(), InputFile(call.predictions), options),
                     std::move(page));
}

void add_evaluate(Command& classify) {
  cli::add_evaluate<ClassifyModel, EvaluateCall>(
      classify,
      {"evaluate",
       "Classify a labelled file and compare: accuracy, precision, recall and F1 of each label, "
       "macro-F1, and the commonest mistakes.\n\n"
       "  trellis classify evaluate test.tsv --model m.trellis\n"
       "  trellis classify evaluate test.tsv --predictions labels.txt",
       "Labelled file", "scores, confusions, features and mistaken documents", false,
       "what predict writes, as lines or as JSON"},
      [](Command& command, EvaluateCall& call) {
        command.option("--columns", call.options.columns,
                       "Columns of a text file, with commas: label, text, id, skip [as in "
                       "training; with --predictions the usual ones]");
        command.option("--confusions", call.confusions,
                       "How many of the commonest mistakes to list");
      },
      evaluate_model, evaluate_predictions);
}

void add_inspect(Command& classify) {
  cli::add_inspect<ClassifyModel>(
      classify,
      {"What a model has learned: the features that speak most for each label, and against it "
       "(weights less their mean over the labels).",
       10, "Features of each label, on either side"},
      [](const ClassifyModel& model, cli::InspectCall& call) {
        return Findings{call.json ? to_json(inspect_record(model, call.top))
                                  : inspect_text(model, call.top)};
      });
}

}  // namespace

void add_classify(cli::Program& program) {
  program.task(
      "classify",
      "One label for each document or vector: topics, languages, kinds.\n\n"
      "Files have a document per line: label TAB text, or id TAB label TAB text, or LIBSVM's "
      "(SVMlight's) label index:value ... Gzip and zstd are read as they are; '-' is standard "
      "input.",
      [](Command& classify) {
        add_train(classify);
        add_predict(classify);
        add_evaluate(classify);
        add_inspect(classify);
      });
}

}  // namespace trellis::classify
