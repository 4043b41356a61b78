// Prediction: the labels of instances under a model. Const: one labeller, many threads.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/label_data.h"
#include "trellis/tasks/label/label_model.h"

namespace trellis::label {

struct Labelling {
  LabelSets labels;
  // [instance · V + label]: how far above its threshold; for chains, given what was given before.
  std::vector<double> scores;
};

// `rows` as scaled() makes them: the width of the weights.
Labelling predict_labels(const LabelModelParts& model, const FeatureRows& rows, int threads);

// The data's features in the model's order, scaled. Throws InputError where no feature of the model
// is among them.
FeatureRows model_rows(const LabelModelParts& model, const LabelData& data);

}  // namespace trellis::label
