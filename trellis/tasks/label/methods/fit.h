// Fitting weights, the step that every method has its own version of: instances with label sets
// and a setting in, the parts of a model out (with thresholds 0: those come later), and what was
// proved of the objective
//
//   λ/2 ‖θ‖² + (1/N) Σ_n L_n(θ),      C = 1/(λN)
//
// where n runs over labels (reverse learning: ½‖θ_v‖² + C L_v for each label, whatever their
// number) or over instances (forward learning, and each label's own problem in binary relevance and
// chains, whose objectives are averaged over labels).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/problem/feature_block.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/learning_run.h"

namespace trellis::label {

struct FitData {
  const FeatureRows& rows;  // as scaled() makes them
  const LabelSets& labels;
  Index num_labels = 0;
};

// What cross-validation chooses.
struct FitSetting {
  double c = 1;
  double coupling_scale = 1;               // pairwise
  std::vector<double> label_c;             // a C for each label, or empty: c for all
  std::vector<std::uint32_t> chain_order;  // chain: the same for all folds
};

struct FitControl {
  int threads = 1;
  std::stop_token stop;
  // Methods with a problem for each label call this when one is solved; may be empty. From several
  // threads, one at a time.
  std::function<void(Index solved, Index labels)> on_label;
  // Couplings: bound what the generator missed, for the last fit.
  bool certify_calls = false;
  // Methods that are one run of one learner run under this control; none: under their own.
  LearningRun* run = nullptr;
};

struct Fit {
  LabelModelParts parts;  // without names, scaling and provenance
  LearnSummary summary;   // over all labels: see summary_of_labels()
  double lambda = 0;      // of the objective above, where there is one for all labels
  std::optional<PairwiseFigures> pairwise;
};

// `options` says which method, measure, gap and so on.
Fit fit_labels(const TrainOptions& options, const FitData& data, const FitSetting& setting,
               const FitControl& control);

// True if the method solves a problem for each label, so that each may have a C of its own.
bool fits_by_label(const TrainOptions& options);

// For each label a run of its own, in parallel: run(v, control) → summary. Stops handing out labels
// when a stop is requested.
using LabelRun = std::function<LearnSummary(Index v, const LearnControl& control)>;
std::vector<LearnSummary> run_labels(Index num_labels, const TrainOptions& options,
                                     const FitControl& control, const LabelRun& run);
// Objective, bound and gap as means over labels; epochs are the most that one of them took, and the
// termination the least good one.
LearnSummary summary_of_labels(std::span<const LearnSummary> labels);

// One run for all labels: under control.run where there is one.
LearnSummary run_alone(const TrainOptions& options, const FitControl& control,
                       const std::function<LearnSummary(const LearnControl& control)>& run);

// weights[k · V + v] = column[k]
void put_column(std::span<const double> column, Index v, Index num_labels,
                std::span<double> weights);

// 1 for the instances that have the label.
std::vector<std::uint8_t> indicator(std::span<const std::uint32_t> instances, Index num_instances);

double c_of(const FitSetting& setting, Index v);

}  // namespace trellis::label
