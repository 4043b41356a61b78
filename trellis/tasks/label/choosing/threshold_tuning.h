// Choosing the thresholds of a model by instances with known labels, for every form of model:
// independent labels by the exact sweeps of thresholds.h; a chain along its order; and where labels
// are coupled (or a chain is judged by an example measure) one common shift, out of a few that give
// from a quarter to four times as many labels as there are, each tried by predicting with it.
//
// A label whose model has seen no instance of it has scores that say nothing, and of another size:
// where others have (folds of a label with one instance), only theirs count.
//
// A threshold that is best on the training set lies in the middle of the margin that its weights
// have dug there, too high for new instances; one that is best on held-out scores suffers from
// their being few, most of all for rare labels, where it also comes from weights that have seen
// fewer positives. The mean of the two (Thresholds::kBoth) errs less than either.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/metrics/measure.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_data.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// A model with thresholds 0, and instances to judge it by.
struct TuningCase {
  LabelModel model;
  const FeatureRows* rows = nullptr;
  const LabelSets* truth = nullptr;
  std::vector<double> scores;         // of predict_labels; filled by make_case
  std::vector<std::uint8_t> learned;  // 0: labels that the model has seen no instance of
};
// `seen`: the label sets that the model was trained on. Rows and truth must outlive the case.
TuningCase make_case(LabelModel model, const LabelSets& seen, const FeatureRows& rows,
                     const LabelSets& truth, int threads);

class ThresholdTuning {
 public:
  ThresholdTuning(const Measure& measure, Index num_labels, int threads)
      : measure_(measure), num_labels_(num_labels), threads_(threads) {}

  // The best thresholds, V of them, for all cases together.
  std::vector<double> best(std::span<const TuningCase* const> cases) const;

  // The labels of a case under thresholds.
  LabelSets predict(const TuningCase& one, std::span<const double> thresholds) const;

 private:
  std::vector<double> independent(std::span<const TuningCase* const> cases) const;
  double of_label(std::span<const TuningCase* const> cases, Index v) const;
  std::vector<double> by_trial(std::span<const TuningCase* const> cases) const;
  double trial(std::span<const TuningCase* const> cases, double t) const;

  Measure measure_;
  Index num_labels_;
  int threads_;
};

// What a rule makes of the thresholds of the training set and of held-out instances; either may be
// empty where the rule does not need it.
std::vector<double> combine_thresholds(Thresholds rule, std::span<const double> training,
                                       std::span<const double> held_out, Index num_labels);
bool needs_held_out(Thresholds rule);
bool needs_training(Thresholds rule);

}  // namespace trellis::label
