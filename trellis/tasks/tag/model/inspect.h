// What a tagger has learned: its strongest features and its transitions.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tag/model/tag_model.h"

namespace trellis::tag {

struct WeightedFeature {
  std::string name;
  double weight = 0;
};

struct LabelFeatures {
  std::string label;
  std::vector<WeightedFeature> features;  // strongest first, by absolute weight
};

// For each label its `top` strongest node attributes. Of a voted model: the last voter's.
std::vector<LabelFeatures> strongest_features(const TagModel& model, Index top);
// The `top` strongest edge attributes, named with the labels that they join.
std::vector<WeightedFeature> strongest_edge_features(const TagModel& model, Index top);

// Weights of label pairs; NaN where there is none. The first row is the start ("^"), the last
// column the end ("$").
struct TransitionTable {
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::vector<double> weights;  // from × to
};
TransitionTable transition_table(const TagModel& model);

// For a reader, with `top` features of each label and as many transitions; or all of these as one
// record.
std::string inspect_text(const TagModel& model, Index top);
Value inspect_record(const TagModel& model, Index top);

}  // namespace trellis::tag
