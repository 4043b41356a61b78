// How features are brought to one size before training, since ‖θ‖² punishes weights of small
// features most. Chosen on the training set and kept in the model (FeatureScaling).
//
//   none      as they are
//   unit      each instance to length 1
//   standard  mean 0, variance 1/D: dense data only, as centring fills sparse rows
//   max       each feature by its largest magnitude, then all by one factor
//   auto      standard for dense data, unit for sparse
//
// With all but `none` the mean of ‖x̃‖² is 1 (at most 1 with unit, where instances may be empty), so
// one C means the same for all data, and so does the bias b: beside instances of length 1 a weight
// of b's is punished by 1/b².
#pragma once

#include "trellis/base/names.h"
#include "trellis/data/feature_rows.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

enum class Scaling { kAuto, kNone, kUnit, kStandard, kMax };
constexpr auto names_of(Scaling) {
  return Names{"scaling", "auto", "none", "unit", "standard", "max"};
}

// What kAuto stands for with these rows; any other is itself.
Scaling resolve_scaling(const FeatureRows& rows, Scaling scaling);
// Throws UsageError for kStandard of sparse rows, and a bias that is not finite and ≥ 0.
FeatureScaling choose_scaling(const FeatureRows& rows, Scaling scaling, double bias);

}  // namespace trellis::label
