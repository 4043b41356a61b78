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
  int threads = 1;
  // Gives the weights of a fit what else a model has: names and scaling.
  std::function<LabelModel(LabelModel weights)> complete;
  // Where the split is that of all instances and the dev set: the model that setting s comes to,
  // complete; none where it was interrupted. Empty: splits are folds, and fitted here.
  std::function<std::optional<LabelModel>(Index s)> fit_whole;

  bool by_dev() const { return fit_whole != nullptr; }
};

struct BestSetting {
  Index setting = 0;
  std::vector<double> thresholds;  // best on its held-out scores
};

// Goes by the options, the rule for thresholds and the stages of `result`, and puts into it the
// figures of all settings and, where asked, the C's of labels. Nothing: interrupted.
std::optional<BestSetting> choose_by_held_out(const ChoicePlan& plan,
                                              const std::vector<std::string>& label_names,
                                              const TrainEvents& events, TrainResult& result);

}  // namespace trellis::label
