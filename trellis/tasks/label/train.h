// Training a labeller for the measure that counts: from instances with label sets to a model.
//
//   data → scaled features → held-out instances choose C, couplings, thresholds → all instances
//
// The measure says which way to look (measure.h), and the method how:
//
//   bundle    the structured hinge of the measure itself. Macro measures and Hamming are learned in
//             reverse (Petterson & Caetano 2010; Petterson 2011, ch. 3), label by label in
//             parallel; example measures forward, with non-negative couplings between labels where
//             asked (Petterson & Caetano 2011; ch. 4)
//   logistic  binary relevance by logistic regression
//   svm       binary relevance by support vector machines
//   chain     classifier chains (Read, Pfahringer, Holmes & Frank 2009)
//   auto      the best of these on held-out instances, as far as counted work allows; bundle where
//             something is said that only it has, or that means another thing in each (C)
//
// each by any learner that its part model allows. Thresholds (choosing/thresholds.h) and a lightly
// regularised bias are parts of all of them. What is chosen, C above all, is chosen by
// cross-validation on the training set, or by a dev set (choosing/held_out_choice.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/fit/choose.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/solve/measures/measure_argmax.h"
#include "trellis/tasks/label/choosing/choose_scaling.h"
#include "trellis/tasks/label/metrics/label_scores.h"
#include "trellis/tasks/label/metrics/measure.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

enum class Method { kAuto, kBundle, kLogistic, kSvm, kChain };
constexpr auto names_of(Method) {
  return Names{"method", "auto", "bundle", "logistic", "svm", "chain"};
}

// Where thresholds are chosen (choosing/thresholds.h): on scores of instances that the weights have
// not seen, on those of the training set, half way between the two, or nowhere (0).
enum class Thresholds { kBoth, kHeldOut, kTraining, kNone };
constexpr auto names_of(Thresholds) {
  return Names{"choice of thresholds", "both", "cv", "train", "none"};
}

// In which order a chain visits the labels.
enum class ChainOrder { kFrequency, kFile, kRandom };
constexpr auto names_of(ChainOrder) {
  return Names{"order", "frequency", "file", "random"};
}

// Couplings between labels (problem/labels/pairwise_label_model.h).
struct PairwiseOptions {
  double share = 0.5;       // of all pairs: the most frequent ones are coupled
  bool exact = true;        // the exact generator; else Algorithm 5
  double call_seconds = 0;  // exact: time limit of one call; 0: none
  Index work = 0;           // exact: cuts and subproblems of one call; 0: the default
  bool algorithm6 = false;  // tell which share of the calls of Algorithm 5 this one certifies
};

struct TrainOptions {
  // Its folds choose, and find thresholds; 0: the dev set does, or, without one, kStandardFolds.
  // Where neither C nor λ nor candidates of them are said, C is chosen from the grid of
  // defaults(), or with much data (docs/labelling.md) fixed.
  TrainingOptions training;

  Measure measure;
  Method method = Method::kAuto;
  Scaling scaling = Scaling::kAuto;
  double bias = 1;
  std::optional<Thresholds> thresholds;  // not given: both; none for hamming
  bool per_label = false;                // each label its own C

  bool joint = false;  // reverse: Algorithm 1 on all labels at once
  ArgmaxAlgorithm argmax = ArgmaxAlgorithm::kMerged;
  bool pairwise = false;
  PairwiseOptions pairs;
  std::vector<double> coupling_scales;  // more than one: chosen on held-out data. Empty: 1
  ChainOrder order = ChainOrder::kFrequency;
};

// The methods that are tried, the first of them to its end: several where the method is auto and
// nothing else is said of learning. Else the one that was said, and for auto the bundle.
std::vector<Method> methods_of(const TrainOptions& options);
// What is said of learning where the user is silent; it depends on method and measure.
TaskDefaults defaults(const TrainOptions& options = {});
// What the part model of these options can do; without options, what any can.
Able able(const TrainOptions& options);
Able able();

// Throws UsageError for what does not go together, before any work is done.
LearnerChoice choose_learner(const TrainOptions& options);

// What one setting came to on instances that its weights had not seen. All figures as in
// figure(): higher is better.
struct CvFigure {
  LearnerChoice setting;
  Method method = Method::kBundle;
  double coupling_scale = 1;
  double figure = 0;          // thresholds of each fold chosen on the other folds
  double figure_at_zero = 0;  // thresholds 0
  double work = 0;            // what its fits have cost, counted
};

struct PairwiseFigures {
  Index pairs = 0;
  double proven_calls = 0;  // the share of the calls of training that were proven optimal
  double proven_share = 0;  // the same of one more pass, at the weights of the model
  // PairwiseOptions::algorithm6: the share of the calls whose set of Algorithm 5 it certifies.
  std::optional<double> certified_calls;
};

struct TrainResult {
  TrainOptions options;  // as they were said
  Learned learned;       // without weights
  Index instances = 0;
  Index labels = 0;
  Index features = 0;
  std::vector<std::string> absent_labels;  // declared, and without an instance
  Scaling scaling = Scaling::kNone;
  Thresholds thresholds = Thresholds::kNone;
  Method method = Method::kBundle;  // the one that was taken
  bool newton = false;              // logistic regressions for all labels at once
  Index folds = 0;                  // 0: there were none
  double lambda = 0;                // 0: each label has its own, or there is none
  double coupling_scale = 1;
  std::vector<double> label_c;
  std::vector<CvFigure> cv;
  std::optional<double> per_label_figure;  // as in CvFigure, of a C for each label
  LabelScores training, training_at_zero;
  std::optional<LabelScores> dev, dev_at_zero;
  std::optional<PairwiseFigures> pairwise;
  RunSeconds seconds;

  const LearnSummary& summary() const { return learned.fitted.summary; }
  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
  // edge_advice() of the choice; empty where there is none.
  std::string at_edge() const;
};

struct Trained {
  std::optional<LabelModel> model;  // none where it was interrupted: the state is in the checkpoint
  TrainResult result;
  // Where it was interrupted, the best so far, if there is any: of the setting that was best when
  // the choice was interrupted, fitted without the first fold (by a dev set: on all instances).
  std::optional<LabelModel> best_so_far = {};
};

// `dev` may be none; its labels are those of `data`, in that order. Throws UsageError for options
// that do not fit together, InputError for data from which nothing can be learned. A checkpoint
// stays until the model is written: result.learned.stages->discard().
Trained train(const LabelData& data, const LabelData* dev, const TrainOptions& options,
              const TrainEvents& events = {});

struct TrainFiles {
  std::string data;
  std::string labels;  // Mulan XML; empty: labels_beside() the data, MEKA's ARFF, or LIBSVM's
  std::string dev;     // empty: none
};
// The same from files; options that do not fit are refused before one is read.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::label
