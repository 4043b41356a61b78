// Choosing C (and the scale of couplings) by k-fold cross-validation on the training set, and the
// held-out scores that thresholds are chosen on.
//
// For each setting a model is fitted without each fold and predicts the instances of that fold. The
// predictions of all folds are then judged as one: a macro measure of pooled counts is far less
// noisy than the mean of folds in which a rare label has one instance or none. To be judged, the
// instances of a fold get thresholds that were chosen on the other folds.
//
// Figures are noisy and change slowly with C, so each is averaged with half of its neighbours' in
// the grid before the best is taken. Of several best settings the first counts: the smallest C.
//
// Where each label has a problem of its own it may also have a C of its own (per_label). That is a
// choice by fewer instances; its figure is of each fold with the C's that the other folds chose.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

struct CvPlan {
  std::vector<FitSetting> settings;  // C ascending, and for each C `scales` scales of couplings
  Index scales = 1;
  Thresholds thresholds = Thresholds::kNone;
  int threads = 1;
};

struct CvOutcome {
  bool interrupted = false;
  std::vector<CvFigure> figures;   // of each setting
  FitSetting best;                 // with label_c where per_label
  std::vector<double> thresholds;  // best on the held-out scores of that setting
  std::optional<double> per_label_figure;
};

// `rows` are the scaled features of `data`.
CvOutcome cross_validate(const TrainOptions& options, const LabelData& data,
                         const FeatureRows& rows, const CvPlan& plan, const TrainEvents& events);

}  // namespace trellis::label
