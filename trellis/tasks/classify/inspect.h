// What a classifier has learned: the strongest features of each label.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/classify/classify_model.h"

namespace trellis::classify {

struct WeightedFeature {
  std::string name;  // of a pivot: "like" and its own strongest features
  double weight = 0;
};

struct LabelFeatures {
  std::string label;
  std::vector<WeightedFeature> positive;  // what speaks most for the label, strongest first
  std::vector<WeightedFeature> negative;  // what speaks most against it, strongest first
};

// For each label up to `top` features (with a kernel: pivots) on either side. What counts is how
// far a weight is from the mean over the labels: adding the same number to a whole row changes no
// prediction (and the log-probabilities of naive Bayes are all negative). Where columns were
// brought to one scale, the order is by the weights there; the weights are those of the file's own
// units, and the bias that of a document of zeros.
std::vector<LabelFeatures> strongest_features(const ClassifyModel& model, Index top);

// All that there is to say about a model, as a record and for people.
Value inspect_record(const ClassifyModel& model, Index top);
std::string inspect_text(const ClassifyModel& model, Index top);

}  // namespace trellis::classify
