// Choosing C, other dials and the scale of couplings by instances that weights have not seen: folds
// of the training set, or a dev set; and the thresholds that are best on their scores.
//
// Folds: for each setting a model is fitted without each fold and predicts the instances of that
// fold. The predictions of all folds are then judged as one: a macro measure of pooled counts is
// far less noisy than the mean of folds in which a rare label has one instance or none. To be
// judged, the instances of a fold get thresholds that were chosen on the other folds. A dev set
// takes the place of the only fold, and gets thresholds that were chosen on itself.
//
// Figures are noisy and change slowly with C, so each is averaged with half of its neighbours' in
// the grid before the best is taken. Of several best settings the first counts: the smallest C.
//
// Where each label has a problem of its own it may also have a C of its own (per_label). That is a
// choice by fewer instances; its figure is of each fold with the C's that the other folds chose.
//
// Each fit is a stage of the training, and so is what was judged of a setting, which then takes the
// place of its fits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/choosing/thresholds.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/train.h"
#include "trellis/tasks/training/stages.h"

namespace trellis::label {

// What is learned from, and what it is judged by.
struct HeldOutSplit {
  std::shared_ptr<const LabelledRows> train;
  std::shared_ptr<const LabelledRows> held_out;
};
// The folds of all instances.
std::vector<HeldOutSplit> fold_splits(const LabelledRows& all, Index folds, std::uint64_t seed);

struct ChoicePlan {
  std::vector<FitSetting> settings;  // path by path; on it C ascends, with `scales` scales for each
  Index path_length = 1;             // C's of a path
  Index scales = 1;                  // of couplings
  std::vector<HeldOutSplit> splits;
  bool by_dev = false;  // the split is that of all instances and the dev set
  Thresholds thresholds = Thresholds::kNone;
  int threads = 1;
  // The model that setting s comes to on a split, with names; none where it was interrupted.
  std::function<std::optional<LabelModel>(Index s, Index split, int threads)> fit;
};

struct ChoiceOutcome {
  std::vector<CvFigure> figures;   // of each setting
  Index best = 0;                  // the setting
  std::vector<double> label_c;     // where per_label
  std::vector<double> thresholds;  // best on the held-out scores of that setting
  std::optional<double> per_label_figure;
};

// Nothing: interrupted.
std::optional<ChoiceOutcome> choose_by_held_out(const TrainOptions& options,
                                                const std::vector<std::string>& label_names,
                                                const ChoicePlan& plan, Stages& stages,
                                                const TrainEvents& events);

// The stage of a fit: to be named so by ChoicePlan::fit.
std::string fold_stage(Index setting, Index fold);

}  // namespace trellis::label
