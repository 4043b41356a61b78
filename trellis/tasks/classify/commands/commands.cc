#include <fmt/format.h>

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/text.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/train_progress.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/classify/classify_report.h"
#include "trellis/tasks/classify/inspect.h"
#include "trellis/tasks/classify/judge_file.h"
#include "trellis/tasks/classify/predict.h"
#include "trellis/tasks/classify/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::classify {
namespace {

using frame::Command;
using frame::Findings;

constexpr Index kShownMistakes = 100;

using TrainCall = frame::TrainCall<TrainFiles, TrainOptions>;

void add_data_options(Command& command, TrainCall& call) {
  ReaderOptions& reader = call.files.data.reader;
  command.group("Data");
  command.option("--format", reader.format,
                 "File format: text (columns with tabs) or libsvm (label index:value ...) "
                 "[detected from the first line]");
  command.parsed("--columns", reader.columns, TextColumns::parse,
                 "Columns of a text file, separated by commas: label, text, id, skip [label,text "
                 "or id,label,text]");
  command.option("--label-weight", call.options.label_weights,
                 "LABEL=WEIGHT: cost of missing this label [1]");
}

void add_feature_options(Command& command, DataOptions& data) {
  command.group("Features");
  command.unsetting_flag("--keep-case", data.lowercase, "Do not convert text to lower case");
  command.option("--ngrams", data.ngrams, "Maximum number of consecutive words in a feature (text)")
      .between(1, FeatureOptions::kMaxNgrams);
  command.option("--weighting", data.weighting,
                 "Weighting of features: binary, count, log (1 + ln count), tfidf, or log-tfidf "
                 "[text: log-tfidf; libsvm and naive Bayes: count]");
  command
      .parsed(
          "--normalize", data.normalize, [](const std::string& word) { return word == "l2"; },
          "Normalisation of vectors: l2: every vector has length 1; none [text: l2; libsvm and "
          "naive Bayes: none]")
      .one_of({"l2", "none"});
  command.option("--scale", data.scaling,
                 "Scaling of columns: deviation (mean 0, standard deviation 1), range (-1 to 1), "
                 "none, or auto: deviation if columns of a libsvm file differ in scale. Columns "
                 "that are mostly 0 keep their zeros: their largest value becomes 1");
  command.option("--min-count", data.min_count,
                 "Minimum number of documents with a feature; rarer features are dropped");
  command.unsetting_flag("--no-bias", data.bias, "Use no constant feature");
}

double parse_alpha(const std::string& text) {
  const auto alpha = parse_double(text);
  if (alpha) return *alpha;
  throw UsageError(fmt::format(
      "--alpha is '{}': expected one number above 0{}", text,
      text.find(',') == std::string::npos
          ? ""
          : " (naive Bayes takes one value of alpha: train with each value, and evaluate)"));
}

void add_kernel_options(Command& command, TrainOptions& options) {
  command.group("Kernel");
  command.parsed("--kernel", options.kernel, parse_kernel,
                 "Kernel over the features: linear, poly:DEGREE[:OFFSET] or rbf:GAMMA");
  command.option("--kernel-rank", options.kernel_rank,
                 "Maximum number of pivots of the kernel: fewer are faster and less exact [as many "
                 "as needed]");
  command.flag("--implicit", options.implicit,
               "Learn a coefficient for each training document instead of weights of explicit "
               "kernel features");
  command.group("Naive Bayes");
  command.parsed("--alpha", options.alpha, parse_alpha, "Number added to every count [0.1]");
  command.flag("--complement", options.complement,
               "Complement naive Bayes: estimate each label from the documents of all other "
               "labels; for labels of unequal size");
  command.flag("--bernoulli", options.bernoulli,
               "Bernoulli naive Bayes: words are present or absent, without counts; absent words "
               "matter too");
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const TrainResult& result = trained.result;
  report::ClassifyReport page =
      report::model_report(*trained.model, "Training of " + call.flags.model);
  page.history = report::training_points(result.summary());
  page.learned = &result.learned;
  page.subtitle = fmt::format("{} documents, {} labels, {} features; {}", result.documents,
                              result.labels, result.features, frame::ending(result.summary()));
  if (!call.files.dev.empty()) {
    const EvaluateOptions options{"", kShownMistakes, call.flags.common.threads};
    report::add_evaluation(evaluate(*trained.model, InputFile(call.files.dev), options),
                           call.files.dev, page);
  }
  return report::classify_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  require_readable(call.files.train);
  call.options.naive_bayes = call.flags.learner == kNaiveBayes;
  call.files.dev = call.flags.dev;
  const Trained trained = train_files(call.files, call.options, events);
  if (trained.result.scaling == Scaling::kDeviation) call.flags.remedy.clear();
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& classify) {
  frame::TrainingPage page;
  page.description =
      "Train a classifier.\n\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis classify train train.tsv --dev dev.tsv --loss maxent --ngrams 2 --model "
      "m.trellis\n"
      "  trellis classify train train.svm.gz --c auto --cv 5 --gap 1e-4 --model m.trellis\n\n"
      "maxent is another name of the loss crf.";
  page.dev = " (by accuracy)";
  page.report = "curves, scores and features";
  page.more_learners = {{kNaiveBayes, "naive Bayes: counts words, in one pass"}};
  page.more_losses = {{"maxent", "crf"}};
  page.remedy = "--scale deviation";
  frame::add_training<TrainCall>(
      classify, defaults(), able(), page,
      [](Command& command, TrainCall& call) {
        command.option("files", call.files.train, "Labelled files").required();
        command.short_help({"--format", "--columns", "--label-weight", "--ngrams", "--weighting",
                            "--normalize", "--min-count", "--alpha"});
        add_data_options(command, call);
        add_feature_options(command, call.files.data);
        add_kernel_options(command, call.options);
      },
      run_train);
}

void add_predict(Command& classify) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<ClassifyModel, Call>(
      classify,
      {"predict",
       "Write a label for each line of a file, after its id if the file has ids.\n"
       "Memory does not grow with the input; with piped input, each line is written immediately.",
       "File to classify, with or without labels"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        command.option("--columns", options.stream.columns,
                       "Columns of a text file, separated by commas: label, text, id, skip [as in "
                       "training; the label may be missing]");
        command.option("--top-k", options.top_k, "Number of best labels to write, best first")
            .between(1, 1U << 31);
        command.flag("--probabilities", options.probabilities,
                     "Write the probability after each label (models trained with --loss maxent or "
                     "another finite beta, and naive Bayes)");
        command.flag("--scores", options.scores, "Write the score after each label");
      },
      [](const ClassifyModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.stream.threads = call.threads;
        call.options.stream.at_once = call.piped();
        predict(model, call.input(), call.options, [&](std::string_view line) { out.write(line); });
        return Findings{};
      });
}

struct EvaluateCall : frame::ModelCall {
  EvaluateOptions options;
  Index confusions = 10;
};

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     report::ClassifyReport page) {
  Findings found = frame::answer(call, evaluation.record(call.confusions),
                                 evaluation.scores.to_text(call.confusions),
                                 frame::missed_labels(call.file, evaluation.unseen_labels));
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
                     report::model_report(model, frame::evaluation_title(call)));
}

Findings evaluate_predictions(EvaluateCall& call) {
  const JudgeOptions options{call.options.columns, call.report.empty() ? 0 : kShownMistakes};
  report::ClassifyReport page;
  page.title = frame::evaluation_title(call);
  return findings_of(call, judge_file(call.input(), InputFile(call.predictions), options),
                     std::move(page));
}

void add_evaluate(Command& classify) {
  frame::add_evaluate<ClassifyModel, EvaluateCall>(
      classify,
      {"evaluate",
       "Classify a labelled file and compare: accuracy, precision, recall and F1 of each label, "
       "macro-F1, and the most common mistakes.\n\n"
       "  trellis classify evaluate test.tsv --model m.trellis\n"
       "  trellis classify evaluate test.tsv --predictions labels.txt",
       "Labelled file", "scores, confusions, features and mistaken documents", false,
       "the output of predict, as lines or as JSON"},
      [](Command& command, EvaluateCall& call) {
        command.option("--columns", call.options.columns,
                       "Columns of a text file, separated by commas: label, text, id, skip [as in "
                       "training; with --predictions: label,text or id,label,text]");
        command.option("--confusions", call.confusions, "Number of most common mistakes to list");
      },
      evaluate_model, evaluate_predictions);
}

void add_inspect(Command& classify) {
  frame::add_inspect<ClassifyModel>(
      classify,
      {"Show what a model has learned: the features with the largest positive and negative weight "
       "for each label (weights minus their mean over the labels).",
       10, "Number of features to list for each label, positive and negative each"},
      [](const ClassifyModel& model, frame::InspectCall& call) {
        return frame::answer(call, inspect_record(model, call.top), inspect_text(model, call.top));
      });
}

}  // namespace

frame::Task task() {
  return {"classify", "train train.tsv --model m.trellis",
          "Classification: one label for each document or vector.\n\n"
          "Files have a document per line: label TAB text, or id TAB label TAB text, or "
          "LIBSVM (SVMlight) format: label index:value ... Gzip and zstd files are read "
          "directly; '-' is standard input.",
          [](Command& classify) {
            add_train(classify);
            add_predict(classify);
            add_evaluate(classify);
            add_inspect(classify);
          }};
}

}  // namespace trellis::classify
