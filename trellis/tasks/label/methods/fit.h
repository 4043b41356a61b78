// Fitting weights, the step that every method has its own version of: instances with label sets
// and a setting in, the parts of a model out (with thresholds 0: those come later), and what was
// proved of the objective
//
//   λ/2 ‖θ‖² + (1/N) Σ_n L_n(θ),      C = 1/(λN)
//
// where n runs over labels (reverse learning: ½‖θ_v‖² + C L_v for each label, whatever their
// number) or over instances (forward learning, and each label's own problem in binary relevance and
// chains, whose objectives are averaged over labels).
//
//   reverse   (Petterson 2011, ch. 3, Algorithm 1) the structured hinge of a macro measure, with
//   the
//             exact constraint generator. The objective falls apart into one problem for each of
//             the N labels, λN = 1/C in each, so labels are trained by themselves, in parallel; the
//             means of their objectives, bounds and gaps are those of the whole. With
//             TrainOptions::joint the whole is one run, as in the thesis: the same optimum, by cuts
//             that all labels share
//   forward   (ch. 4) the structured hinge of an example measure, over the sets of labels of all
//             instances. With couplings A_vw ≥ 0 between frequent pairs of labels, under that
//             constraint; the loss of an instance is then NP-hard to evaluate, its generator may
//             miss, and the objective of every epoch comes from upper bounds
//             (problem/labels/pairwise_label_model.h)
//   binary    relevance: a classifier for each label, which knows nothing of the others, nor of the
//             measure. Logistic regression, or the support vector machine (for one yes or no, dual
//             coordinate ascent is Hsieh et al. 2008); where no learner is named, several labels at
//             once by Newton's method (learn/batch/newton.h), the support vector machine then with
//             the squared hinge
//   chain     (Read, Pfahringer, Holmes & Frank 2009) labels are visited in an order, and the
//             classifier of each sees, beside the features, which labels before it the instance
//             has: the true ones in training, those that were given in prediction
//
// Every learner's run is a stage of the training (frame/training/stages.h): the whole fit where it
// is one run, each label where labels have problems of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/fit/choose.h"
#include "trellis/fit/run.h"
#include "trellis/formats/sets/label_data.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/watched_run.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// Instances to learn from or to judge by.
struct LabelledRows {
  FeatureRows rows;  // as scaled() makes them
  LabelSets labels;
  Index num_labels = 0;
};

// What is chosen on held-out instances.
struct FitSetting {
  std::string name;                        // what is told of it: "c = 0.1, couplings x 10"
  Method method = Method::kBundle;         // never kAuto
  Index contender = 0;                     // its number among the methods to choose from
  LearnerChoice choice;                    // with C, where it has one, and never λ
  bool newton = false;                     // by learn/batch/newton.h, not by the learner
  double coupling_scale = 1;               // pairwise
  std::vector<double> label_c;             // a C for each label, or empty: the choice's for all
  std::vector<std::uint32_t> chain_order;  // chain: the same for all folds
};

struct FitControl {
  Stages& stages;
  std::string stage;  // its name, or what the names of its labels begin with
  int threads = 1;
  std::uint64_t seed = 1;
  // Methods with a problem for each label call this when one is solved; may be empty. From several
  // threads, one at a time.
  std::function<void(Index solved, Index labels)> on_label = {};
  // For the last fit. Couplings: figures of the generator's calls; Newton's method: prove the gap.
  bool certify = false;
  // Methods that are one run: how good a model is on held-out instances (higher is better), by
  // which the run is watched, and its epochs. May be empty.
  std::function<double(LabelModel model)> watch = {};
  OnEpoch on_epoch = {};
  // Labels with problems of their own start from its weights; null: from 0.
  const LabelModel* start = nullptr;
};

struct Fit {
  LabelModel model;  // without names, scaling and provenance
  // Where labels have runs of their own, a summary alone: means over them of objective and
  // bound, the most epochs, the least good termination. kInterrupted: there is no more than that.
  Fitted fitted;
  Index best_epoch = 0;  // where it was watched
  double lambda = 0;     // of the objective above, where there is one for all labels
  double norm = 0;       // ‖θ‖
  // What its runs have cost: passes over the rows, and over the instances, counted. About a
  // nanosecond each.
  double work = 0;
  std::optional<PairwiseFigures> pairwise;

  const LearnSummary& summary() const { return fitted.summary; }
  bool interrupted() const { return summary().termination == Termination::kInterrupted; }
};

// `options` says which method, measure and so on.
Fit fit_labels(const TrainOptions& options, const LabelledRows& data, const FitSetting& setting,
               const FitControl& control);

// What a fit of a setting that holds weights strongly usually costs, as Fit::work counts it.
double usual_work(const LabelledRows& data, const FitSetting& setting);

// All labels in the order of a chain. Frequency: the most frequent first.
std::vector<std::uint32_t> chain_order(const LabelSets& labels, Index num_labels, ChainOrder order,
                                       std::uint64_t seed);

}  // namespace trellis::label
