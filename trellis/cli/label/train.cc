// `trellis label train`

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/cli/label/commands.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/label_report_data.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {
namespace {

struct TrainCall {
  cli::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
  // As they were written.
  std::string measure = "macro-f1";
  std::string method = "bundle";
  std::string scaling = "auto";
  std::string thresholds;
  std::string argmax = "merged";
  std::string generator = "exact";
  std::string order = "frequency";
};

void add_method_options(cli::Command& command, TrainCall& call) {
  TrainOptions& options = call.options;
  command.group("Method");
  command
      .option("--measure", call.measure,
              "What counts: macro-f1, macro-fbeta:B, macro-precision, macro-recall (means over "
              "labels), hamming, example-f1, example-fbeta:B (means over instances)")
      .shows_default();
  command
      .option("--method", call.method,
              "bundle: the measure's own hinge\n"
              "logistic, svm: binary relevance, each label a classifier of its own\n"
              "chain: classifier chains, of logistic regressions unless --loss says otherwise")
      .one_of({"bundle", "logistic", "svm", "chain"})
      .shows_default();
  command
      .option("--scale", call.scaling,
              "Features: standard (mean 0, one variance), unit (instances of length 1), max, none; "
              "auto: standard for dense data, unit for sparse")
      .one_of({"auto", "none", "unit", "standard", "max"})
      .shows_default();
  command
      .option("--bias", options.bias,
              "Value of the constant feature: the larger, the less its weight is regularised; 0: "
              "none")
      .shows_default();
  command
      .option("--thresholds", call.thresholds,
              "Of each label (for example measures: of all), chosen for the measure: on scores of "
              "held-out instances (cv: those of --cv, or of --dev), of the training set (train), "
              "half way between (both), or 0 (none) [both; hamming: none]")
      .one_of({"both", "cv", "train", "none"});
  command.flag("--per-label", options.per_label, "Choose a C for each label by itself");
  command.flag("--joint", options.joint,
               "Macro measures, hamming: Algorithm 1 on all labels at once, instead of each label "
               "by itself in parallel; the optimum is the same");
  command
      .option("--constraint-generator", call.argmax,
              "merged: near linear in the instances; bounded: Algorithm 3; naive: Algorithm 2")
      .one_of({"merged", "bounded", "naive"})
      .shows_default();
  command.option("--order", call.order, "chain: labels by frequency, as in the file, or at random")
      .one_of({"frequency", "file", "random"})
      .shows_default();
}

void add_pairwise_options(cli::Command& command, TrainCall& call) {
  TrainOptions& options = call.options;
  command.group("Couplings between labels");
  command.flag(
      "--pairwise", options.pairwise,
      "Learn non-negative couplings of frequent pairs of labels; needs an example measure");
  command
      .option("--pairs", options.pairs.share,
              "The share of all pairs that is coupled, the most frequent ones")
      .shows_default();
  command.option("--coupling-scale", options.coupling_scales,
                 "How much couplings count against features; several: chosen as C is [1]");
  command
      .option("--generator", call.generator,
              "exact: parametric cuts, branch and bound; algorithm5: Petterson's (2011), which may "
              "miss the optimum")
      .one_of({"exact", "algorithm5"})
      .shows_default();
  command.option("--call-work", options.pairs.work,
                 "exact: cuts and subproblems of one call; what remains is reported as a bound");
  command
      .option("--call-seconds", options.pairs.call_seconds,
              "exact: time limit of one call (results then depend on the machine); 0: none")
      .shows_default();
}

void resolve(TrainCall& call) {
  TrainOptions& options = call.options;
  options.training = call.flags.options;
  options.measure = parse_measure(call.measure);
  options.method = parse_method(call.method);
  options.scaling = parse_scaling(call.scaling);
  if (!call.thresholds.empty()) options.thresholds = parse_thresholds(call.thresholds);
  options.argmax = parse_argmax(call.argmax);
  options.order = parse_chain_order(call.order);
  options.pairs.exact = call.generator == "exact";
  call.files.dev = call.flags.dev;
  call.files.model = call.flags.model;
}

// The measure's figure as people quote it: hamming as a loss.
double quoted(const LabelScores& scores, const Measure& measure) {
  const double value = figure(scores, measure);
  return measure.set.kind == SetMeasure::Kind::kHamming ? 1 - value : value;
}

std::vector<std::string> notes_of(const TrainCall& call, const TrainResult& result) {
  std::vector<std::string> notes;
  if (result.label_c.empty() && result.learned.choice.values.c) {
    notes.push_back(fmt::format("C {:g}", *result.learned.choice.values.c));
  }
  if (result.pairwise) {
    notes.push_back(fmt::format(
        "{} couplings; {:.1f} % of the calls in training proven optimal, {:.1f} % of those at the "
        "end",
        result.pairwise->pairs, 100 * result.pairwise->proven_calls,
        100 * result.pairwise->proven_share));
  }
  const auto add = [&](const std::string& name, const LabelScores& scores,
                       const LabelScores& at_zero) {
    const Measure& measure = call.options.measure;
    notes.push_back(fmt::format("{}: {} {:.4f}, at threshold 0 {:.4f}", name, to_string(measure),
                                quoted(scores, measure), quoted(at_zero, measure)));
  };
  add("training set", result.training, result.training_at_zero);
  if (result.dev) add(call.files.dev, *result.dev, *result.dev_at_zero);
  return notes;
}

std::string page_of(const TrainCall& call, const Trained& trained) {
  report::LabelReport page =
      report::label_model_report(*trained.model, "Training of " + call.files.model);
  page.history = report::training_points(trained.result.summary());
  for (report::TrainingPoint& point : page.history) point.dev *= 100;
  page.dev_metric = to_string(call.options.measure);
  if (trained.result.dev) {
    page.evaluated_on = call.files.dev;
    page.scores = trained.result.dev;
  }
  return report::label_report(page);
}

cli::TrainingOutcome run(TrainCall& call, const TrainEvents& events) {
  resolve(call);
  const auto trained =
      std::make_shared<const Trained>(train_files(call.files, call.options, events));
  cli::TrainingOutcome outcome;
  outcome.interrupted = trained->result.learned.interrupted;
  if (outcome.interrupted) return outcome;
  outcome.json = trained->result.to_json(call.options).dump();
  outcome.summary = trained->result.summary();
  outcome.notes = notes_of(call, trained->result);
  outcome.page = [&call, trained] { return page_of(call, *trained); };
  return outcome;
}

}  // namespace

void add_train(cli::Command& label) {
  auto call = std::make_shared<TrainCall>();
  cli::Command command = label.command(
      "train",
      "Train a labeller for the measure that counts.\n\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --measure hamming --cv 10 --model m\n"
      "  trellis label train train.svm --measure example-f1 --pairwise --model m.trellis");
  command
      .option("data", call->files.data,
              "Instances with labels: ARFF (with --labels) or LIBSVM; gzip and zstd by name")
      .required();
  command.option("--labels", call->files.labels,
                 "Mulan's XML file, which says which attributes of an ARFF file are labels");
  add_method_options(command, *call);
  add_pairwise_options(command, *call);
  cli::TrainingPage page;
  page.dev = ", thresholds as well; runs of one label are not watched";
  page.report = "curves, labels, features and figures of the dev set";
  page.folds = kStandardFolds;
  add_training_flags(command, call->flags, defaults(), able(), page);
  command.run([call] {
    return cli::run_training(call->flags,
                             [&](const TrainEvents& events) { return run(*call, events); });
  });
}

}  // namespace trellis::label
