#include "trellis/tasks/label/train_options.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/learning_run.h"

namespace trellis::label {
namespace {

template <class Value, std::size_t n>
using Names = std::array<std::pair<std::string_view, Value>, n>;

constexpr Names<Method, 4> kMethods = {{{"bundle", Method::kBundle},
                                        {"logistic", Method::kLogistic},
                                        {"svm", Method::kSvm},
                                        {"chain", Method::kChain}}};
constexpr Names<Thresholds, 4> kThresholds = {{{"both", Thresholds::kBoth},
                                               {"cv", Thresholds::kCrossValidated},
                                               {"train", Thresholds::kTraining},
                                               {"none", Thresholds::kNone}}};
constexpr Names<ChainOrder, 3> kOrders = {{{"frequency", ChainOrder::kFrequency},
                                           {"file", ChainOrder::kFile},
                                           {"random", ChainOrder::kRandom}}};
constexpr Names<ForwardLearner, 2> kLearners = {
    {{"bmrm", ForwardLearner::kBmrm}, {"bcfw", ForwardLearner::kBcfw}}};
constexpr Names<ArgmaxAlgorithm, 3> kArgmax = {{{"merged", ArgmaxAlgorithm::kMerged},
                                                {"bounded", ArgmaxAlgorithm::kBounded},
                                                {"naive", ArgmaxAlgorithm::kNaive}}};

template <class Value, std::size_t n>
std::string_view name_of(const Names<Value, n>& names, Value value) {
  for (const auto& [name, known] : names) {
    if (known == value) return name;
  }
  return "";
}

template <class Value, std::size_t n>
Value value_of(const Names<Value, n>& names, std::string_view name, std::string_view what) {
  std::string all;
  for (const auto& [known, value] : names) {
    if (known == name) return value;
    all += all.empty() ? "" : ", ";
    all += known;
  }
  throw UsageError(fmt::format("unknown {} '{}': expected one of {}", what, name, all));
}

bool forward(const TrainOptions& options) {
  return options.measure.direction == Measure::Direction::kForward;
}

bool forward_bundle(const TrainOptions& options) {
  return options.method == Method::kBundle && forward(options);
}

void require_positive(double value, std::string_view what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format("{} of {}: expected a finite number above 0", what, value));
  }
}

void require_regularisation(const TrainOptions& options) {
  if (options.c && options.lambda) {
    throw UsageError("C and lambda say the same, C = 1/(lambda N): give one of them");
  }
  if (options.c) require_positive(*options.c, "a C");
  if (options.lambda) require_positive(*options.lambda, "a lambda");
  for (const double c : options.grid) require_positive(c, "a C in the grid");
  if ((options.c || options.lambda) && !options.grid.empty()) {
    throw UsageError("a grid of C is for cross-validation: leave C and lambda away");
  }
  if (!(options.gap > 0 && options.gap < 1)) {
    throw UsageError(fmt::format("a gap of {}: expected a number between 0 and 1", options.gap));
  }
  if (options.folds < 2) throw UsageError("cross-validation needs at least 2 folds");
}

void require_pairwise(const TrainOptions& options) {
  if (!options.pairwise) {
    if (!options.coupling_scales.empty()) {
      throw UsageError("a scale of couplings needs couplings (pairwise)");
    }
    return;
  }
  if (!forward_bundle(options)) {
    throw UsageError(fmt::format(
        "couplings join the labels of one instance, so they need the bundle method and a measure "
        "that is a mean over instances (example-f1, example-fbeta:B): {} {}",
        options.method == Method::kBundle ? to_string(options.measure)
                                          : std::string(to_string(options.method)),
        options.method == Method::kBundle ? "takes each label by itself" : "has none"));
  }
  if (options.learner == ForwardLearner::kBcfw) {
    throw UsageError(
        "couplings are learned by bmrm: bcfw's gap would trust losses that are only "
        "bounded");
  }
  if (!(options.pairs.share >= 0 && options.pairs.share <= 1)) {
    throw UsageError("the share of pairs to couple is between 0 and 1");
  }
  if (!(options.pairs.call_seconds >= 0) || !std::isfinite(options.pairs.call_seconds)) {
    throw UsageError("the time limit of a call is a finite number of seconds from 0 on");
  }
  for (const double scale : options.coupling_scales) require_positive(scale, "a coupling scale");
}

nlohmann::json number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::string_view to_string(Method method) {
  return name_of(kMethods, method);
}
Method parse_method(std::string_view name) {
  return value_of(kMethods, name, "method");
}
std::string_view to_string(Thresholds thresholds) {
  return name_of(kThresholds, thresholds);
}
Thresholds parse_thresholds(std::string_view name) {
  return value_of(kThresholds, name, "choice of thresholds");
}
std::string_view to_string(ChainOrder order) {
  return name_of(kOrders, order);
}
ChainOrder parse_chain_order(std::string_view name) {
  return value_of(kOrders, name, "order");
}
std::string_view to_string(ForwardLearner learner) {
  return name_of(kLearners, learner);
}
ForwardLearner parse_forward_learner(std::string_view name) {
  return value_of(kLearners, name, "learner");
}
std::string_view to_string(ArgmaxAlgorithm algorithm) {
  return name_of(kArgmax, algorithm);
}
ArgmaxAlgorithm parse_argmax(std::string_view name) {
  return value_of(kArgmax, name, "constraint generator");
}

void require_cell(const TrainOptions& options) {
  require_regularisation(options);
  require_pairwise(options);
  if (options.joint && (options.method != Method::kBundle || forward(options))) {
    throw UsageError(
        "joint training is for the bundle method and a macro measure or hamming: any other is one "
        "run already, or has nothing to join");
  }
  if (options.learner == ForwardLearner::kBcfw && !forward_bundle(options)) {
    throw UsageError("bcfw is a choice for the bundle method and an example measure alone");
  }
  if (options.per_label) {
    if (options.method == Method::kChain || options.joint || forward_bundle(options)) {
      throw UsageError(
          "a C for each label needs a problem for each label: bundle with a macro "
          "measure or hamming, logistic or svm");
    }
    if (forward(options)) {
      throw UsageError(
          "a C for each label is chosen by the label's own figure, which an example "
          "measure does not have");
    }
    if (options.c || options.lambda) {
      throw UsageError("a C for each label is chosen by cross-validation: leave C and lambda away");
    }
  }
  if (options.resume && !runs_alone(options)) {
    throw UsageError("training label by label leaves no state to resume from: start again");
  }
}

Thresholds resolve_thresholds(const TrainOptions& options) {
  if (options.thresholds) return *options.thresholds;
  return options.measure.set.kind == SetMeasure::Kind::kHamming ? Thresholds::kNone
                                                                : Thresholds::kBoth;
}

bool runs_alone(const TrainOptions& options) {
  return options.method == Method::kBundle && (options.joint || forward(options));
}

std::vector<double> default_grid(const TrainOptions& options) {
  if (options.method != Method::kBundle) return {0.1, 1, 10, 100};
  if (forward(options)) return {0.01, 0.1, 1, 10};
  return {0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
}

void put_options(const TrainOptions& options, const TrainResult& result, nlohmann::json& training) {
  training["measure"] = to_string(options.measure);
  training["method"] = std::string(to_string(options.method));
  training["scale"] = std::string(to_string(result.scaling));
  training["bias"] = options.bias;
  training["thresholds"] = std::string(to_string(result.thresholds));
  training["instances"] = result.instances;
  training["c"] = result.c;
  if (!result.label_c.empty()) training["label_c"] = result.label_c;
  if (result.lambda > 0) training["lambda"] = result.lambda;
  if (options.pairwise) {
    training["pairs"] = options.pairs.share;
    training["coupling_scale"] = result.coupling_scale;
    training["generator"] = options.pairs.exact ? "exact" : "algorithm5";
  }
  if (options.method == Method::kChain) training["order"] = std::string(to_string(options.order));
  if (!result.cv.empty()) training["folds"] = options.folds;
  training["seed"] = options.seed;
}

nlohmann::json TrainResult::to_json(const TrainOptions& options) const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  put_options(options, *this, json);
  json["labels"] = labels;
  json["features"] = features;
  json["absent_labels"] = absent_labels;
  json["cv_seconds"] = cv_seconds;
  json["cv"] = nlohmann::json::array();
  for (const CvFigure& one : cv) {
    nlohmann::json row = {
        {"c", one.c}, {"figure", one.figure}, {"figure_at_threshold_0", one.figure_at_zero}};
    if (options.pairwise) row["coupling_scale"] = one.coupling_scale;
    json["cv"].push_back(std::move(row));
  }
  if (per_label_figure) json["cv_per_label"] = *per_label_figure;
  if (pairwise) {
    json["pairwise"] = {{"pairs", pairwise->pairs},
                        {"proven_calls", pairwise->proven_calls},
                        {"proven_share", pairwise->proven_share},
                        {"found_objective", number(pairwise->found_objective)}};
  }
  const auto figures = [](const LabelScores& scores) {
    nlohmann::json all = scores.to_json();
    all.erase("labels");
    return all;
  };
  json["training"] = figures(training);
  json["training_at_threshold_0"] = figures(training_at_zero);
  if (dev) json["dev"] = figures(*dev);
  if (dev_at_zero) json["dev_at_threshold_0"] = figures(*dev_at_zero);
  return json;
}

}  // namespace trellis::label
