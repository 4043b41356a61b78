// Thresholds: where a label's score is high enough for the label to be given. They are a part of
// the method and no afterthought: where a label is hard, the optimum of reverse learning is θ_v = 0
// and all scores tie, so that a threshold alone says whether all instances get it or none; and
// scores that rank well need not be cut well at 0.
//
// A macro measure is a mean over labels, so each has a threshold of its own, the exact best on the
// scores that it is chosen on (a sort and a sweep). An example measure couples the labels; one
// number t is then taken from the scores of all of them. Chosen on the scores of the training set a
// threshold sees instances that the weights have seen as well; chosen on scores from
// cross-validation it does not, and that is what training does.
//
// Of several best cuts the one that gives the fewest labels is taken; between two scores, their
// mean. With nothing or everything below the cut it lies as far outside the scores as those are
// wide (1 where they all tie), so thresholds are always finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/measures/set_measure.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::label {

// t that maximises the measure of {i : scores[i] > t} against {i : truth[i] ≠ 0}.
double best_threshold(std::span<const double> scores, std::span<const std::uint8_t> truth,
                      const SetMeasure& measure);

// One t for all labels: maximises the mean over instances of the measure of {v : s_iv > t}.
double best_common_threshold(std::span<const double> scores, const LabelSets& truth,
                             Index num_labels, const SetMeasure& measure);

// {v : s_iv > t_v} for each instance.
LabelSets above_thresholds(std::span<const double> scores, std::span<const double> thresholds);

}  // namespace trellis::label
