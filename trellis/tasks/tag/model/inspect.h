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
  std::vector<WeightedFeature> features;  // by absolute weight, largest first
};

// The `top` strongest node attributes of each label. For a voted model: the last voter's.
std::vector<LabelFeatures> strongest_features(const TagModel& model, Index top);
// The `top` strongest edge attributes; names include the two labels.
std::vector<WeightedFeature> strongest_edge_features(const TagModel& model, Index top);

// Weights of label pairs; NaN: no weight. The first row is the start ("^"), the last column the end
// ("$").
struct TransitionTable {
  std::vector<std::string> from;
  std::vector<std::string> to;
  std::vector<double> weights;  // from × to
};
TransitionTable transition_table(const TagModel& model);

// As text, with `top` features of each label and `top` transitions; and all of it as a record.
std::string inspect_text(const TagModel& model, Index top);
Value inspect_record(const TagModel& model, Index top);

}  // namespace trellis::tag
