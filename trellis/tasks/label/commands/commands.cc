#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/formats/sets/judged_sets.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/scorers/sklearn_scores.h"
#include "trellis/tasks/label/evaluate.h"
#include "trellis/tasks/label/model/inspect.h"
#include "trellis/tasks/label/page/label_report_data.h"
#include "trellis/tasks/label/predict.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::label {
namespace {

using frame::Command;
using frame::Findings;

using TrainCall = frame::TrainCall<TrainFiles, TrainOptions>;

void add_method_options(Command& command, TrainOptions& options) {
  command.group("Method");
  command
      .parsed(
          "--measure", options.measure, parse_measure,
          "Measure to optimise: macro-f1, macro-fbeta:B, macro-precision, macro-recall (means over "
          "labels), hamming (the loss), example-f1, example-fbeta:B (means over instances)")
      .shows(to_string(options.measure));
  command.option(
      "--method", options.method,
      "auto: the best of the others on held-out instances, as long as their estimated work stays "
      "within a limit; bundle if a learner, C or an option of bundle is given\n"
      "bundle: the hinge loss of the measure\n"
      "logistic, svm: binary relevance, an independent classifier for each label\n"
      "chain: classifier chains of logistic regressions (or of another --loss)");
  command.option("--scale", options.scaling,
                 "Scaling of features: standard (mean 0, equal variance), unit (instances of "
                 "length 1), max, none; auto: standard for dense data, unit for sparse data");
  command.option(
      "--bias", options.bias,
      "Value of the constant feature (a larger value is regularised less); 0: no constant feature");
  command.option(
      "--thresholds", options.thresholds,
      "Thresholds, one for each label (example measures: one for all labels), chosen for the "
      "measure on scores of held-out instances (cv: of --cv or --dev), of the training set "
      "(train), at the midpoint of these two (both), or fixed at 0 (none) [both; hamming: none]");
  command.flag("--per-label", options.per_label, "Choose a separate C for each label");
  command.flag("--joint", options.joint,
               "Train all labels together by Algorithm 1, instead of each label separately and in "
               "parallel; the optimum is the same (macro measures, hamming)");
  command.option("--constraint-generator", options.argmax,
                 "Search for the most violated constraint: merged: time nearly linear in the "
                 "number of instances; bounded: Algorithm 3; naive: Algorithm 2");
  command.option("--order", options.order,
                 "Order of the labels in a chain: by frequency, as in the file, or random");
}

void add_pairwise_options(Command& command, TrainOptions& options) {
  command.group("Couplings between labels");
  command.flag(
      "--pairwise", options.pairwise,
      "Learn non-negative couplings of frequent pairs of labels; requires an example measure");
  command.option(
      "--pairs", options.pairs.share,
      "Fraction of all pairs of labels that are coupled, the most frequent ones (0 to 1)");
  command.option("--coupling-scale", options.coupling_scales,
                 "Scale of the couplings relative to the features; several values with commas: "
                 "chosen as C is [1]");
  command
      .parsed(
          "--generator", options.pairs.exact,
          [](const std::string& word) { return word == "exact"; },
          "Search for the most violated constraint with couplings: exact: parametric cuts, branch "
          "and bound; algorithm5: Petterson (2011), which may miss the optimum")
      .one_of({"exact", "algorithm5"})
      .shows("exact");
  command
      .option("--call-work", options.pairs.work,
              "Maximum number of cuts and subproblems in one call of the exact search (which also "
              "bounds what algorithm5 may miss); an unfinished search enlarges the reported gap")
      .shows("");
  command.flag("--algorithm6", options.pairs.algorithm6,
               "Report the percentage of calls in which Algorithm 6 of Petterson (2011) certifies "
               "the set of algorithm5; costs one cut for each label");
  command.option("--call-seconds", options.pairs.call_seconds,
                 "Time limit of one call of the exact search in seconds (results then depend on "
                 "the machine); 0: no limit");
}

void add_options(Command& command, TrainCall& call) {
  command.short_help(
      {"--labels", "--measure", "--method", "--scale", "--thresholds", "--pairwise"});
  command
      .option("data", call.files.data,
              "Instances with labels: ARFF (of Mulan or MEKA) or LIBSVM format; also .gz and .zst")
      .required();
  command.option(
      "--labels", call.files.labels,
      "Mulan XML file that lists the attributes of an ARFF file that are labels [NAME.xml next to "
      "NAME.arff, NAME-train.arff or NAME-test.arff; or -C in a MEKA file]");
  add_method_options(command, call.options);
  add_pairwise_options(command, call.options);
}

std::string page_of(const TrainCall& call, const Trained& trained) {
  report::LabelReport page =
      report::label_model_report(*trained.model, "Training of " + call.flags.model);
  page.learned = &trained.result.learned;
  page.advice = trained.result.at_edge();
  page.history = report::training_points(trained.result.summary());
  for (report::TrainingPoint& point : page.history) point.dev *= 100;
  page.dev_metric = figure_name(call.options.measure);
  if (trained.result.dev) {
    page.evaluated_on = call.files.dev;
    page.scores = trained.result.dev;
  }
  return report::label_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  require_readable(call.files.data);
  require_readable(call.files.labels);
  call.files.dev = call.flags.dev;
  const Trained trained = train_files(call.files, call.options, events);
  frame::TrainingOutcome outcome =
      frame::outcome_of(call.flags, trained, [&] { return page_of(call, trained); });
  if (trained.best_so_far) {
    trained.best_so_far->write(call.flags.model);
    outcome.best_so_far = true;
  }
  return outcome;
}

void add_train(Command& label) {
  frame::TrainingPage page;
  page.description =
      "Train a labeller for the measure of interest.\n\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --measure hamming --cv 10 --model m\n"
      "  trellis label train train.svm --measure example-f1 --pairwise --model m.trellis";
  page.dev = ", also of thresholds; training of a single label has no early stopping";
  page.report = "curves, labels, features and scores on the dev set";
  page.folds = kStandardFolds;
  frame::add_training<TrainCall>(label, defaults(), able(), page, add_options, run_train);
}

void add_predict(Command& label) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<LabelModel, Call>(
      label,
      {"predict",
       "Write the labels of each instance on a line, separated by tabs; an instance without labels "
       "gives an empty line.\n"
       "Features are identified by name (LIBSVM: by index); labels in the file are ignored.",
       "File to label, with or without labels"},
      [](Command& command, Call& call) {
        command.flag("--scores", call.options.scores,
                     "Write after each label the difference between its score and its threshold; "
                     "with --json, the scores of all labels");
      },
      [](const LabelModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        call.options.at_once = call.piped();
        const std::string warning = predict(model, call.input(), call.options,
                                            [&](const std::string& line) { out.write(line); });
        Findings found;
        if (!warning.empty()) found.warnings = {warning};
        return found;
      });
}

// Whose figures are printed.
enum class Convention { kSklearn };
constexpr auto names_of(Convention) {
  return Names{"convention", "sklearn"};
}

struct EvaluateCall : frame::ModelCall {
  double beta = 1;
  bool at_zero = false;
  Index label_rows = 50;
  std::optional<Convention> convention;
  JudgedFiles files;  // with --predictions
};

void add_evaluate_options(Command& command, EvaluateCall& call) {
  command.option("--beta", call.beta, "Also report F_beta with this beta").between(1e-6, 1e6);
  command.flag("--at-threshold-0", call.at_zero,
               "Use a threshold of 0 instead of the thresholds of the model");
  command.option("--label-rows", call.label_rows,
                 "Number of labels to list, most frequent first; 0: none");
  command.option("--convention", call.convention,
                 "sklearn: print the multi-label metrics of scikit-learn, under its names");
  command.group("With --predictions");
  command.option("--labels", call.files.labels,
                 "Mulan XML file that lists the attributes of an ARFF file that are labels [found "
                 "as in training]");
  command.flag("--matrix", call.files.matrix,
               "The file and the predictions are matrices of 0 and 1, separated by blanks (rows: "
               "instances, columns: labels)");
  command.option("--scores", call.files.scores, "Matrix of scores, for metrics that rank labels");
  command.group("");
  const char* printed = "it prints the metrics of another program";
  command.at("convention").excludes("json", printed).excludes("report", printed);
  command.those({"labels", "matrix", "scores"}).needs("predictions");
  command.at("at-threshold-0").excludes("predictions", "predictions have no thresholds");
}

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     report::LabelReport page) {
  Findings found =
      frame::answer(call, evaluation.record(), evaluation.scores.to_text(call.label_rows),
                    frame::missed_labels(call.file, evaluation.unseen_labels));
  if (!evaluation.warning.empty()) {
    found.warnings.insert(found.warnings.begin(), evaluation.warning);
  }
  if (call.report.empty()) return found;
  page.evaluated_on = call.file;
  page.scores = evaluation.scores;
  found.page = report::label_report(page);
  return found;
}

Findings evaluate_model(LabelModel& model, EvaluateCall& call) {
  if (call.at_zero) model.thresholds.assign(model.num_labels(), 0.0);
  if (call.convention) return {sklearn_scores(judged_sets(model, call.input(), call.threads))};
  return findings_of(call, evaluate(model, call.input(), call.threads, call.beta),
                     report::label_model_report(model, frame::evaluation_title(call)));
}

Findings evaluate_predictions(EvaluateCall& call) {
  require_readable({call.files.scores, call.files.labels});
  call.files.truth = call.file;
  call.files.predictions = call.predictions;
  const JudgedSets sets = read_judged_sets(call.files);
  if (call.convention) return {sklearn_scores(sets)};
  report::LabelReport page;
  page.title = frame::evaluation_title(call);
  return findings_of(call, evaluate(sets, call.beta), std::move(page));
}

void add_evaluate(Command& label) {
  frame::add_evaluate<LabelModel, EvaluateCall>(
      label,
      {"evaluate",
       "Label a file with true labels, and compare: precision, recall and F averaged over labels "
       "(macro), instances (example) and all pairs (micro), Hamming loss, subset accuracy, ranking "
       "loss, and the scores of each label.\n"
       "F is 1 if both the true and the predicted set are empty. Macro means are also given over "
       "the labels that occur in the file.\n\n"
       "  trellis label evaluate test.arff --model m.trellis\n"
       "  trellis label evaluate test.svm --predictions found.txt\n"
       "  trellis label evaluate true.txt --predictions found.txt --matrix --convention sklearn",
       "File with labels", "scores, labels, couplings and features", false,
       "the output of predict, as lines or as JSON"},
      add_evaluate_options, evaluate_model, evaluate_predictions);
}

void add_inspect(Command& label) {
  frame::add_inspect<LabelModel>(
      label,
      {"Show what a model has learned: the features with the largest positive and negative weight "
       "for each label, its threshold, and the weights between labels (couplings, or the chain).",
       10, "Number of features to list for each label, positive and negative each"},
      [](const LabelModel& model, frame::InspectCall& call) {
        return frame::answer(call, inspect_record(model, call.top),
                             inspect_text(model, call.model, call.top));
      });
}

}  // namespace

frame::Task task() {
  return {"label", "train train.arff --labels labels.xml --model m.trellis",
          "Multi-label classification: any number of labels per instance.\n\n"
          "Training optimises a measure of your choice: macro-F1 or another F, precision, "
          "recall, Hamming loss.\n\n"
          "Files are in ARFF, with a Mulan XML file that lists the label attributes, or in "
          "LIBSVM format with labels first: 1,5,7 index:value ... Gzip and zstd files are "
          "read directly; '-' is standard input.",
          [](Command& label) {
            add_train(label);
            add_predict(label);
            add_evaluate(label);
            add_inspect(label);
          }};
}

}  // namespace trellis::label
