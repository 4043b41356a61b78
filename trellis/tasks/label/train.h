// Training a labeller for the measure that counts: from a file of instances with label sets to a
// model file.
//
//   file → scaled features → cross-validation: C, couplings, thresholds → weights of all instances
//
// The measure says which way to look (measure.h), and the method how:
//
//   bundle    the structured hinge of the measure itself. Macro measures and Hamming are learned in
//             reverse (Petterson & Caetano 2010; Petterson 2011, ch. 3), label by label in
//             parallel; example measures forward, with non-negative couplings between labels where
//             asked (Petterson & Caetano 2011; ch. 4)
//   logistic  binary relevance by logistic regression
//   svm       binary relevance by support vector machines
//   chain     classifier chains (Read, Pfahringer, Holmes & Frank 2009) of logistic regressions
//
// Thresholds (thresholds.h) and a lightly regularised bias are parts of all of them. What the data
// decides, C above all, is decided on the training set alone, by cross-validation
// (cross_validation.h).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/tasks/label/choosing/choose_scaling.h"
#include "trellis/tasks/label/metrics/label_scores.h"
#include "trellis/tasks/label/metrics/measure.h"

namespace trellis::label {

enum class Method { kBundle, kLogistic, kSvm, kChain };
std::string_view to_string(Method method);
Method parse_method(std::string_view name);  // throws UsageError

// Where thresholds are chosen (threshold_tuning.h): on scores of instances that the weights have
// not seen, on those of the training set, half way between the two, or nowhere (0).
enum class Thresholds { kBoth, kCrossValidated, kTraining, kNone };
std::string_view to_string(Thresholds thresholds);
Thresholds parse_thresholds(std::string_view name);  // both, cv, train, none; throws UsageError

// In which order a chain visits the labels.
enum class ChainOrder { kFrequency, kFile, kRandom };
std::string_view to_string(ChainOrder order);
ChainOrder parse_chain_order(std::string_view name);  // throws UsageError

enum class ForwardLearner { kBmrm, kBcfw };
std::string_view to_string(ForwardLearner learner);
ForwardLearner parse_forward_learner(std::string_view name);  // throws UsageError

ArgmaxAlgorithm parse_argmax(std::string_view name);  // merged, bounded, naive; throws UsageError
std::string_view to_string(ArgmaxAlgorithm algorithm);

// Couplings between labels (problem/labels/pairwise_label_model.h).
struct PairwiseOptions {
  double share = 0.5;       // of all pairs: the most frequent ones are coupled
  bool exact = true;        // the exact generator; else Algorithm 5
  double call_seconds = 0;  // exact: time limit of one call; 0: none
  Index work = 0;           // exact: cuts and subproblems of one call; 0: the default
};

struct TrainOptions {
  std::string data;
  std::string label_file;  // Mulan XML; empty: the data is LIBSVM's
  std::string dev;         // figures of it are reported; nothing is chosen by it. Empty: none
  std::string model;       // where the model goes; empty: nowhere

  Measure measure;
  Method method = Method::kBundle;
  Scaling scaling = Scaling::kAuto;
  double bias = 1;
  std::optional<Thresholds> thresholds;  // not given: both; none for hamming

  // C, or λ = 1/(C N). Neither: chosen from `grid` by cross-validation; without a grid and with
  // much data (docs/labelling.md) a fixed C.
  std::optional<double> c;
  std::optional<double> lambda;
  std::vector<double> grid;  // empty: default_grid()
  Index folds = 5;           // for C, coupling scales and thresholds
  bool per_label = false;    // each label its own C

  bool joint = false;  // reverse: Algorithm 1 on all labels at once
  ArgmaxAlgorithm argmax = ArgmaxAlgorithm::kMerged;
  ForwardLearner learner = ForwardLearner::kBmrm;
  bool pairwise = false;
  PairwiseOptions pairs;
  std::vector<double> coupling_scales;  // more than one: chosen by cross-validation. Empty: 1
  ChainOrder order = ChainOrder::kFrequency;

  double gap = 1e-3;  // certified relative gap to stop at
  Index epochs = 0;   // at most; 0: the learner's own default
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  // Forward and joint learning: where the state goes on an interruption; empty: nowhere.
  std::string checkpoint;
  bool resume = false;
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const EpochRecord& record)> on_epoch;      // methods that are one run
  std::function<void(const std::string& message)> on_progress;  // replaces what it said before
  std::stop_token stop;
};

// What one setting came to on instances that its weights had not seen. All figures as in
// figure(): higher is better.
struct CvFigure {
  double c = 0;
  double coupling_scale = 1;
  double figure = 0;          // thresholds of each fold chosen on the other folds
  double figure_at_zero = 0;  // thresholds 0
};

struct PairwiseFigures {
  Index pairs = 0;
  double proven_calls = 0;     // the share of all calls of training that were proven optimal
  double proven_share = 0;     // the same of one more pass, at the weights of the model
  double found_objective = 0;  // by the outputs that were found; ≤ the objective of the summary
};

struct TrainResult {
  LearnSummary summary;
  bool interrupted = false;  // then no model was written
  bool resumable = false;    // and the state of the run lies in the checkpoint
  Index instances = 0;
  Index labels = 0;
  Index features = 0;
  std::vector<std::string> absent_labels;  // declared, and without an instance
  Scaling scaling = Scaling::kNone;
  Thresholds thresholds = Thresholds::kNone;
  double c = 0;
  double lambda = 0;  // 0: each label has its own
  double coupling_scale = 1;
  std::vector<double> label_c;
  std::vector<CvFigure> cv;
  std::optional<double> per_label_figure;  // as in CvFigure, of a C for each label
  double cv_seconds = 0;
  LabelScores training, training_at_zero;
  std::optional<LabelScores> dev, dev_at_zero;
  std::optional<PairwiseFigures> pairwise;
  double read_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json(const TrainOptions& options) const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_labeller(const TrainOptions& options, const TrainEvents& events = {});

// The C's that cross-validation tries, ascending.
std::vector<double> default_grid(const TrainOptions& options);

}  // namespace trellis::label
