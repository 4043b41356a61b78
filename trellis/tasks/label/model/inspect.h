// What a labeller has learned: the strongest features of each label, the score that it requires,
// and the weights between labels.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/label/model/label_model.h"

namespace trellis::label {

struct WeightedName {
  std::string name;
  double weight = 0;
};

struct LabelView {
  std::string label;
  double threshold = 0;
  double constant = 0;                 // θ_v0 b: the score of the zero vector
  std::vector<WeightedName> positive;  // features for the label, strongest first
  std::vector<WeightedName> negative;  // features against it
};

// For each label up to `top` features of each sign, by θ_v: the weights of the scaled features.
std::vector<LabelView> strongest_features(const LabelModel& model, Index top);

struct LabelLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double weight = 0;
};

// Up to `top` weights between labels, largest absolute value first, without zeros. Pairwise: A_vw,
// v < w. Chain: θ_vu from a preceding label u, if it is assigned, to v. Empty for an independent
// model.
std::vector<LabelLink> strongest_links(const LabelModel& model, Index top);

// All of the above, as `inspect` reports it; `name` is the model's.
Value inspect_record(const LabelModel& model, Index top);
std::string inspect_text(const LabelModel& model, const std::string& name, Index top);

}  // namespace trellis::label
