// Prediction: the labels of instances under a model. Const: one model, many threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/label/model/label_model.h"
#include "trellis/tasks/label/reading/label_data.h"

namespace trellis::label {

struct Labelling {
  LabelSets labels;
  // [instance · V + label]: how far above its threshold; for chains, given what was given before.
  std::vector<double> scores;
};

// `rows` as scaled() makes them: the width of the weights. The model must be one that can be
// written (label_model_bytes). Of several best label sets of a pairwise model the smallest.
Labelling predict_labels(const LabelModelParts& model, const FeatureRows& rows, int threads);

// How many of the data's features the model knows.
Index num_known_features(const LabelModelParts& model, const LabelData& data);

// The data's features in the model's order, scaled. Throws InputError where the file declares its
// features and none of the model's is among them, and where a scaled value is beyond the range of a
// float.
FeatureRows model_rows(const LabelModelParts& model, const LabelData& data);

// Both, for instances `begin` … of the data, some at a time and in their order: memory is bounded
// whatever the number of instances. `visit` is called by the caller's thread.
using VisitLabelling = std::function<void(Index begin, const Labelling& labelling)>;
void label_in_turn(const LabelModelParts& model, const LabelData& data, int threads,
                   const VisitLabelling& visit);
// All of them at once.
Labelling label_instances(const LabelModelParts& model, const LabelData& data, int threads);

}  // namespace trellis::label
