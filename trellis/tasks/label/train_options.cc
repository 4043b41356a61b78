#include "trellis/tasks/label/train_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/result.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/tasks/label/methods/binary_model.h"

namespace trellis::label {
namespace {

// `auto` has the options of the bundle method, unless it compares methods.
bool bundle(const TrainOptions& options) {
  return options.method == Method::kBundle || options.method == Method::kAuto;
}

bool forward_bundle(const TrainOptions& options) {
  return bundle(options) && options.measure.forward();
}

void require_positive(double value, std::string_view what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format("{} of {}: expected a finite number above 0", what, value));
  }
}

void require_pairwise(const TrainOptions& options) {
  if (!options.pairwise) {
    if (!options.coupling_scales.empty()) {
      throw UsageError("--coupling-scale requires --pairwise");
    }
    if (options.pairs.algorithm6) {
      throw UsageError("--algorithm6 requires --pairwise");
    }
    return;
  }
  if (!forward_bundle(options)) {
    throw UsageError(fmt::format(
        "--pairwise requires --method bundle and a measure that is a mean over instances "
        "(example-f1, example-fbeta:B): {} {}",
        bundle(options) ? to_string(options.measure) : std::string(to_string(options.method)),
        bundle(options) ? "treats each label separately" : "has no couplings"));
  }
  if (!(options.pairs.share >= 0 && options.pairs.share <= 1)) {
    throw UsageError("--pairs must be between 0 and 1");
  }
  if (!(options.pairs.call_seconds >= 0) || !std::isfinite(options.pairs.call_seconds)) {
    throw UsageError("--call-seconds must be a finite number of at least 0");
  }
  for (const double scale : options.coupling_scales) require_positive(scale, "a coupling scale");
}

void require_joint(const TrainOptions& options) {
  if (!options.joint || (bundle(options) && !options.measure.forward())) return;
  throw UsageError(
      "--joint requires --method bundle and a macro measure or hamming: other methods and measures "
      "have no separate runs to join");
}

void require_per_label(const TrainOptions& options) {
  if (!options.per_label) return;
  if (options.method == Method::kChain || options.joint || forward_bundle(options)) {
    throw UsageError(
        "--per-label requires a separate problem for each label: --method bundle with a macro "
        "measure or hamming, logistic or svm");
  }
  if (options.measure.forward()) {
    throw UsageError(
        "--per-label requires a measure that each label has by itself: it cannot be combined with "
        "an example measure");
  }
  const LearnerOptions& said = options.training.learner;
  const bool only_c =
      std::all_of(options.training.candidates.begin(), options.training.candidates.end(),
                  [](const Candidates& one) { return one.dial == "c" || one.dial == "lambda"; });
  // The first value of a list is also in the learner's options.
  const bool one_value = options.training.candidates.empty() && (said.c || said.lambda);
  if (one_value || said.radius || !only_c || options.training.path) {
    throw UsageError(
        "--per-label chooses only C, on held-out instances: give --c a list of values or omit it, "
        "and omit --radius and --path");
  }
}

// The names of these methods imply a loss.
void require_loss(const TrainOptions& options, const LearnerChoice& choice) {
  if (options.method == Method::kLogistic && choice.loss.hinge()) {
    throw UsageError("--method logistic requires a smooth loss: for the hinge choose --method svm");
  }
  if (options.method == Method::kSvm && !choice.loss.hinge()) {
    throw UsageError("--method svm requires the hinge: for a smooth loss choose --method logistic");
  }
}

Value figures(const LabelScores& scores) {
  Value all = scores.record();
  all.erase("labels");
  return all;
}

// The best score of each of several methods.
void put_methods(const TrainResult& result, Value& record) {
  for (const CvFigure& one : result.cv) {
    if (methods_of(result.options).size() < 2) return;
    Value& figure = record["methods"][to_string(one.method)];
    if (figure.is_null() || figure.get<double>() < one.figure) figure = one.figure;
  }
}

// Method, measure, C and other options.
void put_options(const TrainResult& result, Value& record) {
  const TrainOptions& options = result.options;
  record["measure"] = to_string(options.measure);
  record["method"] = to_string(result.method);
  if (result.newton) {
    record["learner"] = "newton";
    if (result.method == Method::kSvm) record["loss"] = "squared hinge";
  }
  put_methods(result, record);
  record["scale"] = to_string(result.scaling);
  record["bias"] = options.bias;
  record["thresholds"] = to_string(result.thresholds);
  record["instances"] = result.instances;
  if (result.learned.choice.values.c) record["c"] = *result.learned.choice.values.c;
  if (!result.label_c.empty()) record["label_c"] = result.label_c;
  if (result.lambda > 0) record["lambda"] = result.lambda;
  if (options.joint) record["joint"] = true;
  if (options.pairwise) {
    record["pairs"] = options.pairs.share;
    record["coupling_scale"] = result.coupling_scale;
    record["generator"] = options.pairs.exact ? "exact" : "algorithm5";
  }
  if (result.method == Method::kChain) record["order"] = to_string(options.order);
  if (result.folds > 0) record["folds"] = result.folds;
  record["seed"] = options.training.seed;
}

Value cv_row(const CvFigure& one, const TrainOptions& options,
             const std::vector<Candidates>& searched) {
  Value row =
      Value::record({{"figure", one.figure}, {"figure_at_threshold_0", one.figure_at_zero}});
  const LearnerOptions& values = one.setting.values;
  if (values.c) row["c"] = *values.c;
  if (methods_of(options).size() > 1) {
    row["method"] = to_string(one.method);
    row["work"] = one.work;
  }
  for (const Candidates& dials : searched) {
    const Dial& one_dial = dial(dials.dial);
    if (!one_dial.holds_weights()) row[dials.dial] = one_dial.number(values);
  }
  if (options.pairwise) row["coupling_scale"] = one.coupling_scale;
  return row;
}

}  // namespace

std::vector<Method> methods_of(const TrainOptions& options) {
  if (options.method != Method::kAuto) return {options.method};
  const TrainingOptions& training = options.training;
  const LearnerOptions& said = training.learner;
  const bool says_dials = std::any_of(dials().begin(), dials().end(),
                                      [&](const Dial& dial) { return dial.said(said); });
  const bool only_auto_c =
      std::all_of(training.candidates.begin(), training.candidates.end(),
                  [](const Candidates& one) { return one.dial == "c" && one.values.empty(); });
  const TrainOptions usual;
  const bool says_more = options.joint || options.pairwise || options.per_label ||
                         !options.coupling_scales.empty() || options.argmax != usual.argmax ||
                         training.path;
  if (says_dials || !only_auto_c || says_more || said.learner || said.loss || said.beta ||
      said.gamma) {
    return {Method::kBundle};
  }
  return {Method::kSvm, Method::kLogistic, Method::kChain, Method::kBundle};
}

TaskDefaults defaults(const TrainOptions& options) {
  using enum LearnerKind;
  constexpr LearnerSet kAll = LearnerSet::all();
  const bool regression = options.method == Method::kLogistic || options.method == Method::kChain;
  LearnerOptions smooth, hinge, gap, lbfgs, dca, bcfw;
  smooth.loss = Loss::named("crf");
  hinge.loss = Loss::named("svm");
  // The gap ends a run, because it has the same meaning for every method.
  gap.gap = 1e-3;
  lbfgs.epsilon = 0;
  lbfgs.delta = 0;
  dca.dual = "stored";
  if (options.training.learner.dual.value_or("stored") == "stored") dca.epochs = 1000;
  bcfw.epochs = 500;
  bcfw.gap_every = 5;

  TaskDefaults table;
  table.loss = regression ? *smooth.loss : *hinge.loss;
  table.smooth = kLbfgs;
  table.hinge = bundle(options) ? kBmrm : kDca;
  if (options.method == Method::kLogistic) table.rows.push_back({kAll, {}, smooth});
  if (options.method == Method::kChain) {
    table.rows.push_back({{kLbfgs, kDca, kSgd, kBcfw, kBmrm}, {}, smooth});
  }
  table.rows.push_back({{kSgd}, {}, hinge});
  table.rows.push_back({kAll.but({kPerceptron, kMira, kSgd, kQp}), {}, gap});
  table.rows.push_back({{kLbfgs}, {}, lbfgs});
  table.rows.push_back({{kDca}, {}, dca});
  table.rows.push_back({{kBcfw}, {}, bcfw});
  table.grid = {0.1, 1, 10, 100};
  if (bundle(options)) {
    table.grid = options.measure.forward()
                     ? std::vector<double>{0.01, 0.1, 1, 10}
                     : std::vector{0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  }
  return table;
}

Able able(const TrainOptions& options) {
  if (!bundle(options)) return able_of<BinaryModel>();
  if (options.pairwise) return able_of<PairwiseLabelModel>();
  return options.measure.forward() ? able_of<LabelSetModel>() : able_of<ReverseLabelModel>();
}

Able able() {
  return able_of<BinaryModel>() | able_of<PairwiseLabelModel>() | able_of<LabelSetModel>() |
         able_of<ReverseLabelModel>();
}

LearnerChoice choose_learner(const TrainOptions& options) {
  require_pairwise(options);
  require_joint(options);
  require_per_label(options);
  if (options.training.folds == 1) throw UsageError("--cv must be at least 2");
  LearnerChoice choice = choose(options.training.learner, defaults(options), able(options));
  require_loss(options, choice);
  if (options.per_label && !choice.values.c) {
    throw UsageError(
        fmt::format("--per-label requires C, which {} does not have", to_string(choice.learner)));
  }
  // Visits all candidates, and so refuses those that the learner does not accept.
  refuse_voters(choice, options.training, defaults(options), "a labeller");
  return choice;
}

bool by_newton(const TrainOptions& options) {
  const TrainingOptions& training = options.training;
  const LearnerOptions& said = training.learner;
  if (bundle(options) || said.learner || said.loss || said.beta || said.gamma) return false;
  constexpr std::array<std::string_view, 5> kDials = {"c", "lambda", "gap", "epochs", "certify"};
  return std::all_of(dials().begin(), dials().end(), [&](const Dial& dial) {
    const bool asked = dial.said(said) ||
                       std::any_of(training.candidates.begin(), training.candidates.end(),
                                   [&](const Candidates& one) { return one.dial == dial.name; });
    return !asked || std::find(kDials.begin(), kDials.end(), dial.name) != kDials.end();
  });
}

Thresholds resolve_thresholds(const TrainOptions& options) {
  if (options.thresholds) return *options.thresholds;
  return options.measure.set.kind == SetMeasure::Kind::kHamming ? Thresholds::kNone
                                                                : Thresholds::kBoth;
}

std::string describe(const TrainOptions& options) {
  std::string text = fmt::format(
      "label measure={} method={} scale={} bias={} thresholds={} per_label={} joint={} argmax={}",
      to_string(options.measure), to_string(options.method), to_string(options.scaling),
      options.bias, to_string(resolve_thresholds(options)), options.per_label, options.joint,
      to_string(options.argmax));
  if (options.method == Method::kChain) text += fmt::format(" order={}", to_string(options.order));
  if (!options.pairwise) return text;
  return text + fmt::format(" pairs={} exact={} seconds={} work={} couplings={}",
                            options.pairs.share, options.pairs.exact, options.pairs.call_seconds,
                            options.pairs.work, fmt::join(options.coupling_scales, ","));
}

Value provenance(const TrainResult& result) {
  Value training;
  put_provenance(result.learned, result.options.training.seed, training);
  put_options(result, training);
  return training;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  put_options(*this, record);
  record["labels"] = labels;
  record["features"] = features;
  record["absent_labels"] = absent_labels;
  record["cv_seconds"] = learned.choice_seconds;
  record["cv"] = Value::list();
  for (const CvFigure& one : cv) record["cv"].push_back(cv_row(one, options, learned.searched));
  if (per_label_figure) record["cv_per_label"] = *per_label_figure;
  if (pairwise) {
    record["pairwise"] =
        Value::record({{"pairs", pairwise->pairs},
                       {"proven_calls", pairwise->proven_calls},
                       {"proven_share", pairwise->proven_share},
                       {"found_objective", summary().objective - summary().missed}});
    if (pairwise->certified_calls) {
      record["pairwise"]["certified_calls"] = *pairwise->certified_calls;
    }
  }
  record["training"] = figures(training);
  record["training_at_threshold_0"] = figures(training_at_zero);
  if (dev) record["dev"] = figures(*dev);
  if (dev_at_zero) record["dev_at_threshold_0"] = figures(*dev_at_zero);
  return record;
}

std::string TrainResult::at_edge() const {
  if (learned.chosen_by.empty() || !label_c.empty()) return {};
  return fmt::format(
      "{}", fmt::join(edge_advice(learned.chosen(), learned.tried, learned.searched), "; "));
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (label_c.empty() && learned.choice.values.c) {
    notes.push_back(fmt::format("c {:g}", *learned.choice.values.c));
  }
  if (const std::string edge = at_edge(); !edge.empty()) notes.push_back(edge);
  if (pairwise) {
    notes.push_back(
        fmt::format("{} couplings; {:.1f} % of the calls in training proven optimal, {:.1f} % of "
                    "the calls at the end",
                    pairwise->pairs, 100 * pairwise->proven_calls, 100 * pairwise->proven_share));
    if (pairwise->certified_calls) {
      notes.push_back(
          fmt::format("Algorithm 6 certifies the sets of {:.1f} % of the calls at the end",
                      100 * *pairwise->certified_calls));
    }
  }
  const auto add = [&](const std::string& name, const LabelScores& scores,
                       const LabelScores& at_zero) {
    const Measure& measure = options.measure;
    notes.push_back(fmt::format("{}: {} {:.4f}, at threshold 0 {:.4f}", name, to_string(measure),
                                quoted(figure(scores, measure), measure),
                                quoted(figure(at_zero, measure), measure)));
  };
  add("training set", training, training_at_zero);
  if (dev) add(dev_name, *dev, *dev_at_zero);
  return notes;
}

}  // namespace trellis::label
