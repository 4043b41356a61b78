#include "trellis/cli/label/train_call.h"

#include "trellis/base/error.h"

namespace trellis::cli {
namespace {

void add_method_options(CLI::App& app, LabelTrainCall& call) {
  const std::string group = "Method";
  label::TrainOptions& options = call.options;
  app.add_option("--measure", call.measure,
                 "What counts: macro-f1, macro-fbeta:B, macro-precision, macro-recall (means over "
                 "labels), hamming, example-f1, example-fbeta:B (means over instances)")
      ->capture_default_str()
      ->group(group);
  app.add_option("--method", call.method,
                 "bundle: the measure's own hinge, by the bundle method\n"
                 "logistic, svm: binary relevance, each label a classifier of its own\n"
                 "chain: classifier chains of logistic regressions")
      ->check(CLI::IsMember({"bundle", "logistic", "svm", "chain"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--scale", call.scaling,
                 "Features: standard (mean 0, one variance), unit (instances of length 1), max, "
                 "none; auto: standard for dense data, unit for sparse")
      ->check(CLI::IsMember({"auto", "none", "unit", "standard", "max"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--bias", options.bias,
                 "Value of the constant feature: the larger, the less its weight is regularised; "
                 "0: none")
      ->capture_default_str()
      ->group(group);
  app.add_option("--thresholds", call.thresholds,
                 "Of each label (for example measures: of all), chosen for the measure: on scores "
                 "from cross-validation (cv), of the training set (train), half way between "
                 "(both), or 0 (none) [both; hamming: none]")
      ->check(CLI::IsMember({"both", "cv", "train", "none"}))
      ->group(group);
}

void add_learning_options(CLI::App& app, LabelTrainCall& call) {
  const std::string group = "Learning";
  label::TrainOptions& options = call.options;
  app.add_option("--c", options.c,
                 "C: how much the data counts against small weights [by cross-validation]")
      ->group(group);
  app.add_option("--lambda", options.lambda,
                 "Instead of --c: lambda = 1/(C N), N labels (bundle, macro measures and hamming) "
                 "or instances")
      ->group(group);
  app.add_option("--cv", options.folds, "Folds of cross-validation")
      ->capture_default_str()
      ->group(group);
  app.add_option("--grid", options.grid, "The C's that cross-validation tries")
      ->delimiter(',')
      ->group(group);
  app.add_flag("--per-label", options.per_label, "Choose a C for each label by itself")
      ->group(group);
  app.add_option("--gap", options.gap, "Stop as soon as the certified relative gap is below this")
      ->capture_default_str()
      ->group(group);
  app.add_option("--epochs", options.epochs, "At most so many passes of each learner")
      ->group(group);
  app.add_flag("--joint", options.joint,
               "Macro measures, hamming: Algorithm 1 on all labels at once, instead of each label "
               "by itself in parallel; the optimum is the same")
      ->group(group);
  app.add_option("--constraint-generator", call.argmax,
                 "merged: near linear in the instances; bounded: Algorithm 3; naive: Algorithm 2")
      ->check(CLI::IsMember({"merged", "bounded", "naive"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--learner", call.learner,
                 "Example measures: bmrm (parallel passes) or bcfw (an instance at a time)")
      ->check(CLI::IsMember({"bmrm", "bcfw"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--order", call.order, "chain: labels by frequency, as in the file, or at random")
      ->check(CLI::IsMember({"frequency", "file", "random"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", options.seed, "Same data, options and seed: same model, bit for bit")
      ->capture_default_str()
      ->group(group);
}

void add_pairwise_options(CLI::App& app, LabelTrainCall& call) {
  const std::string group = "Couplings between labels";
  label::TrainOptions& options = call.options;
  app.add_flag("--pairwise", options.pairwise,
               "Learn non-negative couplings of frequent pairs of labels; needs an example measure")
      ->group(group);
  app.add_option("--pairs", options.pairs.share,
                 "The share of all pairs that is coupled, the most frequent ones")
      ->capture_default_str()
      ->group(group);
  app.add_option("--coupling-scale", options.coupling_scales,
                 "How much couplings count against features; several: chosen by cross-validation "
                 "[1]")
      ->delimiter(',')
      ->group(group);
  app.add_option(
         "--generator", call.generator,
         "exact: parametric cuts, branch and bound; algorithm5: Petterson's (2011), which may miss "
         "the optimum")
      ->check(CLI::IsMember({"exact", "algorithm5"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--call-work", options.pairs.work,
                 "exact: cuts and subproblems of one call; what remains is reported as a bound")
      ->group(group);
  app.add_option("--call-seconds", options.pairs.call_seconds,
                 "exact: time limit of one call (results then depend on the machine); 0: none")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void add_label_train_options(CLI::App& app, LabelTrainCall& call) {
  label::TrainOptions& options = call.options;
  app.add_option("data", options.data,
                 "Instances with labels: ARFF (with --labels) or LIBSVM; gzip and zstd by name")
      ->required();
  app.add_option("--labels", options.label_file,
                 "Mulan's XML file, which says which attributes of an ARFF file are labels");
  app.add_option("--model", options.model, "Where the model goes")->required();
  app.add_option("--dev", options.dev, "Held-out instances: their figures are reported at the end");
  add_method_options(app, call);
  add_learning_options(app, call);
  add_pairwise_options(app, call);
  add_run_options(app, {options.checkpoint, options.resume, call.history, call.report},
                  "curves, labels, features and figures of the dev set");
  add_common_options(app, call.common);
}

void resolve(LabelTrainCall& call) {
  label::TrainOptions& options = call.options;
  options.measure = label::parse_measure(call.measure);
  options.method = label::parse_method(call.method);
  options.scaling = label::parse_scaling(call.scaling);
  if (!call.thresholds.empty()) options.thresholds = label::parse_thresholds(call.thresholds);
  options.argmax = label::parse_argmax(call.argmax);
  options.learner = label::parse_forward_learner(call.learner);
  options.order = label::parse_chain_order(call.order);
  options.pairs.exact = call.generator == "exact";
  options.threads = call.common.threads;
  if (options.checkpoint.empty()) options.checkpoint = options.model + ".checkpoint";
}

}  // namespace trellis::cli
