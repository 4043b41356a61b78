#include "trellis/cli/classify/commands.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/classify_report.h"
#include "trellis/tasks/classify/evaluate.h"
#include "trellis/tasks/classify/inspect.h"
#include "trellis/tasks/classify/predict.h"
#include "trellis/tasks/classify/train.h"

namespace trellis::classify {
namespace {

constexpr Index kShownMistakes = 100;

struct TrainCall {
  cli::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
  std::string format, columns, weighting, normalize, kernel;
  bool keep_case = false;
  bool no_bias = false;
  std::vector<std::string> label_weights;
};

struct PredictCall {
  cli::CommonOptions common;
  std::string file = "-", model, output;
  PredictOptions options;
};

struct EvaluateCall {
  cli::CommonOptions common;
  std::string file, model, report;
  EvaluateOptions options;
  Index confusions = 10;
};

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  Index top = 10;
};

void add_data_flags(cli::Command& command, TrainCall& call) {
  command.group("Data");
  command
      .option("--format", call.format,
              "text (columns with tabs) or libsvm (label index:value ...) [the first line tells]")
      .one_of({"text", "libsvm"});
  command.option("--columns", call.columns,
                 "Columns of a text file, with commas: label, text, id, skip [label,text or "
                 "id,label,text]");
  command.option("--label-weight", call.label_weights,
                 "LABEL=WEIGHT: what missing this label costs [1]");
}

void add_feature_flags(cli::Command& command, TrainCall& call) {
  DataOptions& data = call.files.data;
  command.group("Features");
  command.flag("--keep-case", call.keep_case, "Do not turn text into lower case");
  command.option("--ngrams", data.ngrams, "Text: up to so many words in a row")
      .between(1, FeatureOptions::kMaxNgrams)
      .shows_default();
  command
      .option("--weighting", call.weighting,
              "binary, count, log (1 + ln count), tfidf, or log-tfidf [text: log-tfidf; libsvm "
              "and naive Bayes: count]")
      .one_of({"binary", "count", "log", "tfidf", "log-tfidf"});
  command
      .option("--normalize", call.normalize,
              "l2: every vector has length 1; none [text: l2; libsvm and naive Bayes: none]")
      .one_of({"l2", "none"});
  command.option("--min-count", data.min_count, "Drop features that occur in fewer documents")
      .shows_default();
  command.flag("--no-bias", call.no_bias, "No constant feature");
}

void add_kernel_flags(cli::Command& command, TrainCall& call) {
  command.group("Kernel");
  command.option("--kernel", call.kernel,
                 "A kernel over the features: linear, poly:DEGREE[:OFFSET] or rbf:GAMMA");
  command.option("--kernel-rank", call.options.kernel_rank,
                 "Pivots of the kernel at most: fewer are faster and less exact [all it takes]");
  command.flag("--implicit", call.options.implicit,
               "Learn a coefficient for each training document, without features of the kernel");
  command.group("Naive Bayes");
  command.option("--alpha", call.options.alpha, "What is added to every count [0.1]");
  command.flag("--complement", call.options.complement,
               "Estimate from the other labels, for labels of unequal size");
}

// Turns what was written into options. Throws UsageError for what does not fit together.
void resolve(TrainCall& call) {
  DataOptions& data = call.files.data;
  if (!call.format.empty()) data.reader.format = parse_input_format(call.format);
  if (!call.columns.empty()) {
    if (data.reader.format == InputFormat::kLibsvm) {
      throw UsageError("LIBSVM files have no columns: --columns is about text");
    }
    data.reader.columns = TextColumns::parse(call.columns);
  }
  data.lowercase = !call.keep_case;
  data.bias = !call.no_bias;
  if (!call.weighting.empty()) data.weighting = parse_weighting(call.weighting);
  if (!call.normalize.empty()) data.normalize = call.normalize == "l2";
  if (!call.kernel.empty()) call.options.kernel = parse_kernel(call.kernel);
  call.options.label_weights = cli::parse_label_weights(call.label_weights);
  call.options.naive_bayes = call.flags.learner == kNaiveBayes;
  call.options.training = call.flags.options;
  call.files.dev = call.flags.dev;
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const TrainResult& result = trained.result;
  report::ClassifyReport page =
      report::model_report(*trained.model, "Training of " + call.flags.model);
  page.history = report::training_points(result.summary());
  page.learned = &result.learned;
  page.subtitle = fmt::format("{} documents, {} labels, {} features; {} after {} epochs",
                              result.documents, result.labels, result.features,
                              cli::ending(result.summary().termination), result.summary().epochs);
  if (!call.files.dev.empty()) {
    const EvaluateOptions options{"", kShownMistakes, call.flags.common.threads};
    report::add_evaluation(evaluate(*trained.model, InputFile(call.files.dev), options),
                           call.files.dev, page);
  }
  return report::classify_report(page);
}

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  resolve(call);
  const auto trained = std::make_shared<Trained>(train_files(call.files, call.options, events));
  const TrainResult& result = trained->result;
  cli::TrainingOutcome outcome;
  outcome.interrupted = !trained->model;
  for (const std::string& label : result.unseen_dev_labels) {
    outcome.warnings.push_back(fmt::format("{}: the label '{}' does not occur in the training set",
                                           call.files.dev, label));
  }
  if (outcome.interrupted) return outcome;
  trained->write(call.flags.model);
  outcome.json = result.to_json();
  outcome.summary = result.summary();
  if (result.learned.fitted.eta > 0) {
    outcome.notes.push_back(fmt::format("eta {}", result.learned.fitted.eta));
  }
  if (result.dev) {
    outcome.notes.push_back(fmt::format("best on {}: accuracy {:.2f} (epoch {})", call.files.dev,
                                        result.dev->accuracy(), result.learned.best_epoch));
  }
  outcome.page = [&call, trained] { return training_page(call, *trained); };
  return outcome;
}

void add_train(cli::Command& classify) {
  auto call = std::make_shared<TrainCall>();
  cli::Command command = classify.command(
      "train",
      "Train a classifier.\n\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis classify train train.tsv --dev dev.tsv --loss maxent --ngrams 2 --model "
      "m.trellis\n"
      "  trellis classify train train.svm.gz --c auto --cv 5 --gap 1e-4 --model m.trellis\n\n"
      "maxent is another name of the loss crf.");
  command.option("files", call->files.train, "Labelled files").required();
  add_data_flags(command, *call);
  add_feature_flags(command, *call);
  add_kernel_flags(command, *call);
  cli::TrainingPage page;
  page.dev = ", accuracy being what counts";
  page.report = "curves, scores and features";
  page.more_learners = {{kNaiveBayes, "counts words, in one pass"}};
  cli::add_training_flags(command, call->flags, defaults(), able(), page);
  command.run([call] {
    if (call->flags.loss == "maxent") call->flags.loss = "crf";
    return cli::run_training(call->flags,
                             [&](const TrainEvents& events) { return run_train(*call, events); });
  });
}

int run_predict(PredictCall& call) {
  const ClassifyModel model = ClassifyModel::read(call.model);
  StreamOptions& stream = call.options.stream;
  stream.threads = call.common.threads;
  stream.at_once = call.file == "-";
  call.options.json = call.common.json;
  OutputFile out(call.output);
  predict(model, InputFile(call.file), call.options, [&](std::string_view line) {
    out.write(line);
    if (stream.at_once) out.flush();
  });
  out.commit();
  return 0;
}

void add_predict(cli::Command& classify) {
  auto call = std::make_shared<PredictCall>();
  PredictOptions& options = call->options;
  cli::Command command = classify.command(
      "predict",
      "A label for each line of a file, with its id before it where the file has such a column.\n"
      "Memory does not grow with the input; what is piped in comes out line by line.");
  command.option("file", call->file,
                 "File to classify, with or without labels; '-' or nothing: standard input");
  command.option("--model", call->model, "The model").required();
  command.option("--output", call->output, "Where to write; '-' or nothing: standard output");
  command.option("--columns", options.stream.columns,
                 "Columns of a text file, with commas: label, text, id, skip [as in training, the "
                 "label may be missing]");
  command.option("--top-k", options.top_k, "The K best labels, best first")
      .between(1, 1U << 31)
      .shows_default();
  command.flag("--probabilities", options.probabilities,
               "Write the probability behind each label (models trained with --loss maxent or "
               "another finite beta, and naive Bayes)");
  command.flag("--scores", options.scores, "Write the score behind each label");
  cli::add_common_options(command, call->common);
  command.run([call] { return run_predict(*call); });
}

int run_evaluate(EvaluateCall& call) {
  cli::Console console(call.common.quiet);
  require_writable(call.report);
  const ClassifyModel model = ClassifyModel::read(call.model);
  call.options.threads = call.common.threads;
  call.options.max_mistakes = call.report.empty() ? 0 : kShownMistakes;
  const Evaluation evaluation = evaluate(model, InputFile(call.file), call.options);
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(
        fmt::format("{}: the model has no label '{}': it counts as missed", call.file, label));
  }
  cli::write_page(call.report, [&] {
    report::ClassifyReport page = report::model_report(model, "Evaluation of " + call.model);
    report::add_evaluation(evaluation, call.file, page);
    return report::classify_report(page);
  });
  cli::print(call.common.json ? evaluation.to_json(call.confusions) + "\n"
                              : evaluation.scores.to_text(call.confusions));
  return 0;
}

void add_evaluate(cli::Command& classify) {
  auto call = std::make_shared<EvaluateCall>();
  cli::Command command = classify.command(
      "evaluate",
      "Classify a labelled file and compare: accuracy, precision, recall and F1 of each label, "
      "macro-F1, and the commonest mistakes.");
  command.option("file", call->file, "Labelled file; '-' is standard input").required();
  command.option("--model", call->model, "The model").required();
  command.option("--columns", call->options.columns,
                 "Columns of a text file, with commas: label, text, id, skip [as in training]");
  command.option("--confusions", call->confusions, "How many of the commonest mistakes to list")
      .shows_default();
  command.option("--report", call->report,
                 "Write a page with scores, confusions, features and mistaken documents");
  cli::add_common_options(command, call->common);
  command.run([call] { return run_evaluate(*call); });
}

void add_inspect(cli::Command& classify) {
  auto call = std::make_shared<InspectCall>();
  cli::Command command = classify.command(
      "inspect",
      "What a model has learned: the features that speak most for each label, and against it "
      "(weights less their mean over the labels).");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Features of each label, on either side").shows_default();
  cli::add_common_options(command, call->common);
  command.run([call] {
    const ClassifyModel model = ClassifyModel::read(call->model);
    cli::print(call->common.json ? inspect_json(model, call->top) + "\n"
                                 : inspect_text(model, call->top));
    return 0;
  });
}

}  // namespace

void add_classify(cli::Program& program) {
  cli::Command classify = program.task(
      "classify",
      "One label for each document: topics, languages, sentiments, or any sparse vectors.\n\n"
      "Files have a document per line: label TAB text, or id TAB label TAB text, or LIBSVM's "
      "(SVMlight's) label index:value ... Gzip and zstd are read as they are; '-' is standard "
      "input.");
  add_train(classify);
  add_predict(classify);
  add_evaluate(classify);
  add_inspect(classify);
}

}  // namespace trellis::classify
