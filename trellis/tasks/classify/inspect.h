// What a classifier has learned: the strongest features of each label.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/classify/classify_model.h"

namespace trellis::classify {

struct WeightedFeature {
  std::string name;  // of a pivot: "like" and its strongest features
  double weight = 0;
};

struct LabelFeatures {
  std::string label;
  std::vector<WeightedFeature> positive;  // largest weights for the label, largest first
  std::vector<WeightedFeature> negative;  // largest weights against the label, largest first
};

// Up to `top` features (with a kernel: pivots) of each sign for each label. Weights are compared
// after subtracting the mean over the labels: adding the same number to a whole row changes no
// prediction (and log-probabilities of naive Bayes are all negative). If columns were scaled,
// scaled weights decide the order; the reported weights are per unit of the file, and the bias is
// that of a document of zeros.
std::vector<LabelFeatures> strongest_features(const ClassifyModel& model, Index top);

// Everything known about a model, as a record and as text.
Value inspect_record(const ClassifyModel& model, Index top);
std::string inspect_text(const ClassifyModel& model, Index top);

}  // namespace trellis::classify
