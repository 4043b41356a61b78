// Choosing C, other dials and the scale of couplings by instances that weights have not seen: folds
// of the training set, or a dev set; and the thresholds that are best on their scores.
//
// Folds: for each setting a model is fitted without each fold and predicts the instances of that
// fold. The predictions of all folds are then judged as one: a macro measure of pooled counts is
// far less noisy than the mean of folds in which a rare label has one instance or none. To be
// judged, the instances of a fold get thresholds that were chosen on the other folds. A dev set
// takes the place of the only fold, and gets thresholds that were chosen on itself.
//
// Settings that differ in C alone are a walk (frame/training/walk.h): from strong to weak, over
// once it is behind its peak, beyond the grid where the best is at its end. Newton's method starts
// in each from where the setting before it ended, fold by fold.
//
// The best of a walk is the best of its smoothed figures (Walk::best). Of several best settings the
// first counts: the smallest C.
//
// Several methods are several walks. The first is walked to its end. The others begin in the middle
// of their grids and have limits (WalkLimits): on how far they may be behind, and on the work that
// is counted in their runs, so that the choice does not depend on the machine. The best of the
// walks' best is taken; of equals the first.
//
// Where each label has a problem of its own it may also have a C of its own (per_label). That is a
// choice by fewer instances; its figure is of each fold with the C's that the other folds chose.
//
// Walks, folds side by side and stages are those of frame/training, but not learn_best(), which
// adds up a tally of each fold: here a figure needs the models and scores of all folds together,
// fits of labels are stages of their own, and thresholds need held-out scores even for a single
// setting.
//
// Each fit is a stage of the training, and so is what was judged of a setting, which then takes the
// place of its fits. A choice that is interrupted leaves the best so far as a model: that of its
// first fold, or, by a dev set, of all instances.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/search.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/walk.h"
#include "trellis/tasks/label/choosing/thresholds.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// What is learned from, and what it is judged by.
struct HeldOutSplit {
  std::shared_ptr<const LabelledRows> train;
  std::shared_ptr<const LabelledRows> held_out;
};
// The folds of all instances.
std::vector<HeldOutSplit> fold_splits(const LabelledRows& all, Index folds, std::uint64_t seed);

// Settings of one method that differ in how strongly weights are held alone.
struct SettingsWalk {
  FitSetting setting;  // what they have in common
  Path path;           // from strong to weak
  std::string dial;    // the one whose values are automatic; empty: the path is a list
  // Of a method after the first:
  bool from_best = false;  // it begins with the best value of the walk before it, which is alike
  Index begin = 0;         // it begins with this value of its path
  WalkLimits limits = {};  // of work at least that of the first walk
};

struct ChoicePlan {
  std::vector<SettingsWalk> walks;
  // The setting of a walk with these values: its name and C.
  std::function<FitSetting(const SettingsWalk& walk, const LearnerChoice& values)> setting_of;
  std::vector<HeldOutSplit> splits;
  int threads = 1;
  // Gives the weights of a fit what else a model has: names and scaling.
  std::function<LabelModel(LabelModel weights)> complete;
  // Where the split is that of all instances and the dev set: the model that a setting comes to,
  // complete, by its number, and what it cost; none where it was interrupted. Empty: splits are
  // folds, and fitted here.
  std::function<std::optional<LabelModel>(const FitSetting& setting, Index number, double& work)>
      fit_whole;

  bool by_dev() const { return fit_whole != nullptr; }
  bool several() const { return walks.size() > 1 || walks.front().path.size() > 1; }
};

// A setting that was tried, and what came of it.
struct TriedSetting {
  FitSetting setting;
  LearnerChoice values;  // as the walk has them: with λ, where that is what was said
  Index walk = 0;
  Index number = 0;  // as they were tried
  double figure = 0;
  double smoothed = 0;  // Walk::smoothed
};

struct HeldOutChoice {
  bool interrupted = false;
  std::vector<TriedSetting> tried;  // walk by walk, from strong to weak
  // Of those, the best; meaningless where there is none.
  Index best = 0;
  std::vector<double> thresholds;    // best on its held-out scores
  std::optional<LabelModel> so_far;  // a model of the best so far, with thresholds
};

// Goes by the options, the rule for thresholds and the stages of `result`, and puts into it the
// figures of all settings and, where asked, the C's of labels.
HeldOutChoice choose_by_held_out(const ChoicePlan& plan,
                                 const std::vector<std::string>& label_names,
                                 const TrainEvents& events, TrainResult& result);

}  // namespace trellis::label
