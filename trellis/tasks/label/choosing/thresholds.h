// Thresholds: where a label's score is high enough for the label to be given. They are a part of
// the method and no afterthought: where a label is hard, the optimum of reverse learning is θ_v = 0
// and all scores tie, so that a threshold alone says whether all instances get it or none; and
// scores that rank well need not be cut well at 0.
//
// A macro measure is a mean over labels, so each has a threshold of its own, the exact best on the
// scores that it is chosen on (a sort and a sweep). An example measure couples the labels; one
// number t is then taken from the scores of all of them. Of several best cuts the one that gives
// the fewest labels is taken; between two scores, their mean. With nothing or everything below the
// cut it lies as far outside the scores as those are wide (1 where they all tie), so thresholds are
// always finite.
//
// In a chain a threshold moves what later labels see: those of the labels before v are fixed when
// v's is chosen. Where labels are coupled (or a chain is judged by an example measure) all have one
// common shift, out of a few that give from a quarter to four times as many labels as there are,
// each tried by predicting with it.
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
#include "trellis/formats/sets/label_data.h"
#include "trellis/solve/measures/set_measure.h"
#include "trellis/tasks/label/methods/fit.h"
#include "trellis/tasks/label/metrics/measure.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/train.h"

namespace trellis::label {

// t that maximises the measure of {i : scores[i] > t} against {i : truth[i] ≠ 0}.
double best_threshold(std::span<const double> scores, std::span<const std::uint8_t> truth,
                      const SetMeasure& measure);

// One t for all labels: maximises the mean over instances of the measure of {v : s_iv > t}.
double best_common_threshold(std::span<const double> scores, const LabelSets& truth,
                             Index num_labels, const SetMeasure& measure);

// {v : s_iv > t_v} for each instance.
LabelSets above_thresholds(std::span<const double> scores, std::span<const double> thresholds);

// A model with thresholds 0, and instances to judge it by.
struct TuningCase {
  LabelModel model;
  const LabelledRows* judged = nullptr;
  std::vector<double> scores;         // of predict_labels; filled by make_case
  std::vector<std::uint8_t> learned;  // 0: labels that the model has seen no instance of
  LabelSets instances;                // of each label
};
// `seen`: the label sets that the model was trained on. `judged` must outlive the case.
TuningCase make_case(LabelModel model, const LabelSets& seen, const LabelledRows& judged,
                     int threads);

class ThresholdTuning {
 public:
  ThresholdTuning(const Measure& measure, Index num_labels, int threads)
      : measure_(measure), num_labels_(num_labels), threads_(threads) {}

  // The best thresholds, V of them, for all cases together: models of one form, chains of one
  // order.
  using Cases = std::span<const TuningCase* const>;
  std::vector<double> best(Cases cases) const;
  std::vector<double> best(const TuningCase& one) const {
    const TuningCase* const cases[] = {&one};
    return best(cases);
  }

  // The labels of a case under thresholds.
  LabelSets predict(const TuningCase& one, std::span<const double> thresholds) const;

 private:
  std::vector<double> independent(Cases cases) const;
  std::vector<double> along_chain(Cases cases) const;
  std::vector<double> by_trial(Cases cases) const;
  double trial(Cases cases, double t) const;

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
