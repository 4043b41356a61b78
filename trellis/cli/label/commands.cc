#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/training_command.h"
#include "trellis/data/json.h"
#include "trellis/formats/sets/judged_sets.h"
#include "trellis/scorers/sklearn_scores.h"
#include "trellis/tasks/label/evaluate.h"
#include "trellis/tasks/label/model/inspect.h"
#include "trellis/tasks/label/page/label_report_data.h"
#include "trellis/tasks/label/predict.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {
namespace {

using cli::Command;
using cli::Findings;

using TrainCall = cli::TrainCall<TrainFiles, TrainOptions>;

void add_method_options(Command& command, TrainOptions& options) {
  command.group("Method");
  command
      .parsed("--measure", options.measure, parse_measure,
              "What counts: macro-f1, macro-fbeta:B, macro-precision, macro-recall (means over "
              "labels), hamming (the loss), example-f1, example-fbeta:B (means over instances)")
      .shows(to_string(options.measure));
  command.option("--method", options.method,
                 "auto: the best of the others on held-out instances, as far as its cost is "
                 "bounded; where a learner, C or what only bundle has is said, bundle\n"
                 "bundle: the measure's own hinge\n"
                 "logistic, svm: binary relevance, each label a classifier of its own\n"
                 "chain: classifier chains, of logistic regressions unless --loss says otherwise");
  command.option("--scale", options.scaling,
                 "Features: standard (mean 0, one variance), unit (instances of length 1), max, "
                 "none; auto: standard for dense data, unit for sparse");
  command.option(
      "--bias", options.bias,
      "Value of the constant feature: the larger, the less its weight is regularised; 0: "
      "none");
  command.option("--thresholds", options.thresholds,
                 "Of each label (for example measures: of all), chosen for the measure: on scores "
                 "of held-out instances (cv: those of --cv, or of --dev), of the training set "
                 "(train), half way between (both), or 0 (none) [both; hamming: none]");
  command.flag("--per-label", options.per_label, "Choose a C for each label by itself");
  command.flag("--joint", options.joint,
               "Macro measures, hamming: Algorithm 1 on all labels at once, instead of each label "
               "by itself in parallel; the optimum is the same");
  command.option("--constraint-generator", options.argmax,
                 "merged: near linear in the instances; bounded: Algorithm 3; naive: Algorithm 2");
  command.option("--order", options.order,
                 "chain: labels by frequency, as in the file, or at random");
}

void add_pairwise_options(Command& command, TrainOptions& options) {
  command.group("Couplings between labels");
  command.flag(
      "--pairwise", options.pairwise,
      "Learn non-negative couplings of frequent pairs of labels; needs an example measure");
  command.option("--pairs", options.pairs.share,
                 "The share of all pairs that is coupled, the most frequent ones");
  command.option("--coupling-scale", options.coupling_scales,
                 "How much couplings count against features; several: chosen as C is [1]");
  command
      .parsed(
          "--generator", options.pairs.exact,
          [](const std::string& word) { return word == "exact"; },
          "exact: parametric cuts, branch and bound; algorithm5: Petterson's (2011), which may "
          "miss the optimum")
      .one_of({"exact", "algorithm5"})
      .shows("exact");
  command
      .option("--call-work", options.pairs.work,
              "Cuts and subproblems of one call of the exact search, which also bounds what "
              "algorithm5 may have missed; what remains is part of the reported gap")
      .shows("");
  command.flag(
      "--algorithm6", options.pairs.algorithm6,
      "Tell in which share of the calls Petterson's (2011) Algorithm 6 certifies the set of "
      "algorithm5; costs a cut for each label");
  command.option("--call-seconds", options.pairs.call_seconds,
                 "exact: time limit of one call (results then depend on the machine); 0: none");
}

void add_options(Command& command, TrainCall& call) {
  command
      .option("data", call.files.data,
              "Instances with labels: ARFF (Mulan's, MEKA's) or LIBSVM; gzip and zstd by name")
      .required();
  command.option(
      "--labels", call.files.labels,
      "Mulan's XML file, which says which attributes of an ARFF file are labels [DATA.xml "
      "beside it, also without train or test at the end of the name; MEKA's -C]");
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

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  require_readable(call.files.data);
  require_readable(call.files.labels);
  call.files.dev = call.flags.dev;
  const Trained trained = train_files(call.files, call.options, events);
  cli::TrainingOutcome outcome =
      cli::outcome_of(call.flags, trained, [&] { return page_of(call, trained); });
  if (trained.best_so_far) {
    trained.best_so_far->write(call.flags.model);
    outcome.best_so_far = true;
  }
  return outcome;
}

void add_train(Command& label) {
  cli::TrainingPage page;
  page.description =
      "Train a labeller for the measure that counts.\n\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --measure hamming --cv 10 --model m\n"
      "  trellis label train train.svm --measure example-f1 --pairwise --model m.trellis";
  page.dev = ", thresholds as well; runs of one label are not watched";
  page.report = "curves, labels, features and figures of the dev set";
  page.folds = kStandardFolds;
  cli::add_training<TrainCall>(label, defaults(), able(), page, add_options, run_train);
}

void add_predict(Command& label) {
  struct Call : cli::ModelCall {
    PredictOptions options;
  };
  cli::add_predict<LabelModel, Call>(
      label,
      {"predict",
       "The labels of each instance of a file, a line each, with tabs between them; an empty line "
       "where there are none.\n"
       "Features are found by their names (LIBSVM: by their index); labels in the file are not "
       "looked at.",
       "File to label, with or without labels"},
      [](Command& command, Call& call) {
        command.flag("--scores", call.options.scores,
                     "Write behind each label how far its score is above its threshold; with "
                     "--json, the scores of all labels");
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

struct EvaluateCall : cli::ModelCall {
  double beta = 1;
  bool at_zero = false;
  Index label_rows = 50;
  std::optional<Convention> convention;
  JudgedFiles files;  // with --predictions
};

void add_evaluate_options(Command& command, EvaluateCall& call) {
  command.option("--beta", call.beta, "Also report F_beta, of this beta").between(1e-6, 1e6);
  command.flag("--at-threshold-0", call.at_zero,
               "With thresholds of 0 in the place of the model's");
  command.option("--label-rows", call.label_rows,
                 "How many labels to list, those first that occur most; 0: none");
  command.option("--convention", call.convention,
                 "sklearn: print scikit-learn's multi-label figures, by their names there");
  command.group("With --predictions");
  command.option("--labels", call.files.labels,
                 "Mulan's XML file, which says which attributes of an ARFF file are labels [as in "
                 "training]");
  command.flag("--matrix", call.files.matrix,
               "The file and the predictions are matrices of 0 and 1 with blanks between: a row "
               "for each instance, a column for each label");
  command.option("--scores", call.files.scores, "A matrix of scores, for figures that rank labels");
  command.group("");
}

std::optional<Findings> check_evaluate(EvaluateCall& call) {
  if (call.convention && (call.json || !call.report.empty())) {
    throw UsageError("--convention prints another program's figures: no --json, no --report");
  }
  const JudgedFiles& files = call.files;
  if (call.predictions.empty() &&
      (files.matrix || !files.scores.empty() || !files.labels.empty())) {
    throw UsageError("--labels, --matrix and --scores are for --predictions");
  }
  if (!call.predictions.empty() && call.at_zero) {
    throw UsageError("--at-threshold-0 is for a model: predictions have no thresholds");
  }
  return std::nullopt;
}

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     report::LabelReport page) {
  Findings found{
      call.json ? to_json(evaluation.record()) : evaluation.scores.to_text(call.label_rows),
      cli::missed_labels(call.file, evaluation.unseen_labels)};
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
                     report::label_model_report(model, cli::evaluation_title(call)));
}

Findings evaluate_predictions(EvaluateCall& call) {
  require_readable({call.files.scores, call.files.labels});
  call.files.truth = call.file;
  call.files.predictions = call.predictions;
  const JudgedSets sets = read_judged_sets(call.files);
  if (call.convention) return {sklearn_scores(sets)};
  report::LabelReport page;
  page.title = cli::evaluation_title(call);
  return findings_of(call, evaluate(sets, call.beta), std::move(page));
}

void add_evaluate(Command& label) {
  cli::add_evaluate<LabelModel, EvaluateCall>(
      label,
      {"evaluate",
       "Label a file that has labels, and compare: precision, recall and F as means over labels "
       "(macro), instances (example) and all pairs (micro), Hamming loss, subset accuracy, "
       "ranking loss, and each label by itself.\n"
       "F of nothing against nothing is 1. Macro means are also given over the labels that occur "
       "in the file.\n\n"
       "  trellis label evaluate test.arff --model m.trellis\n"
       "  trellis label evaluate test.svm --predictions found.txt\n"
       "  trellis label evaluate true.txt --predictions found.txt --matrix --convention sklearn",
       "File with labels", "scores, labels, couplings and features", false,
       "what predict writes, as lines or as JSON"},
      add_evaluate_options, evaluate_model, evaluate_predictions, check_evaluate);
}

void add_inspect(Command& label) {
  cli::add_inspect<LabelModel>(
      label,
      {"What a model has learned: the features that speak most for each label and against it, its "
       "threshold, and how labels speak for one another (couplings, or the chain).",
       10, "Features of each label, on either side"},
      [](const LabelModel& model, cli::InspectCall& call) {
        return Findings{call.json ? to_json(inspect_record(model, call.top))
                                  : inspect_text(model, call.model, call.top)};
      });
}

}  // namespace

void add_label(cli::Program& program) {
  program.task(
      "label",
      "Any number of labels for each instance: tags, topics, genes.\n\n"
      "Training is for the measure that counts: macro-F1 or another F, precision, recall, Hamming "
      "loss.\n\n"
      "Files are ARFF, with Mulan's XML file that says which attributes are labels, or LIBSVM's "
      "with labels in front: 1,5,7 index:value ... Gzip and zstd are read as they are; '-' is "
      "standard input.",
      [](Command& label) {
        add_train(label);
        add_predict(label);
        add_evaluate(label);
        add_inspect(label);
      });
}

}  // namespace trellis::label
