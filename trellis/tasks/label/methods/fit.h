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
// Every learner's run is a stage of the training (tasks/training/stages.h): the whole fit where it
// is one run, each label where labels have problems of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/problem/feature_block.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/training/stages.h"
#include "trellis/tasks/training/watched_run.h"

namespace trellis::label {

struct FitData {
  const FeatureRows& rows;  // as scaled() makes them
  const LabelSets& labels;
  Index num_labels = 0;
};

// What is chosen on held-out instances.
struct FitSetting {
  LearnerChoice choice;                    // with C, where it has one, and never λ
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
  // Couplings: bound what the generator missed, for the last fit.
  bool certify_calls = false;
  // Methods that are one run: how good a model is on held-out instances (higher is better), by
  // which the run is watched, and its epochs. May be empty.
  std::function<double(LabelModel model)> watch = {};
  OnEpoch on_epoch = {};
};

struct Fit {
  LabelModel model;      // without names, scaling and provenance
  LearnSummary summary;  // over all labels: see summary_of_labels(); kInterrupted: there is no more
  Index best_epoch = 0;  // where it was watched
  double eta = 0;        // sgd in one run: its learning rate
  double lambda = 0;     // of the objective above, where there is one for all labels
  double norm = 0;       // ‖θ‖
  std::optional<PairwiseFigures> pairwise;

  bool interrupted() const { return summary.termination == Termination::kInterrupted; }
};

// `options` says which method, measure and so on.
Fit fit_labels(const TrainOptions& options, const FitData& data, const FitSetting& setting,
               const FitControl& control);

// For each label a run of its own, in parallel: solve(v, choice, run) calls run(model, θ) once,
// with the choice of the label. Stops handing out labels when a stop is requested.
using RunLabel = std::function<void(const FitFunction& fit, std::span<double> theta)>;
using SolveLabel = std::function<void(Index v, const RunLabel& run)>;
LearnSummary run_labels(Index num_labels, const FitSetting& setting, const FitControl& control,
                        const SolveLabel& solve);
// Objective, bound and gap as means over labels; epochs are the most that one of them took, and the
// termination the least good one.
LearnSummary summary_of_labels(std::span<const LearnSummary> labels);

// One run for all labels, watched where the control says so. `model_of` makes a model of weights.
using ModelOf = std::function<LabelModel(std::span<const double> w)>;
Fit run_once(const FitFunction& fit, Index dimension, const FitSetting& setting,
             const FitControl& control, const ModelOf& model_of);

// weights[k · V + v] = column[k]
void put_column(std::span<const double> column, Index v, Index num_labels,
                std::span<double> weights);

// 1 for the instances that have the label.
std::vector<std::uint8_t> indicator(std::span<const std::uint32_t> instances, Index num_instances);

}  // namespace trellis::label
