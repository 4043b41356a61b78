// What a labeller has learned: the strongest features of each label, what it needs to be given, and
// how labels speak for one another.
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
  double constant = 0;                 // θ_v0 b: the score of an instance of zeros
  std::vector<WeightedName> positive;  // the features that speak most for it, strongest first
  std::vector<WeightedName> negative;  // against it
};

// For each label up to `top` features on either side, by θ_v: the weights of the scaled features.
std::vector<LabelView> strongest_features(const LabelModel& model, Index top);

struct LabelLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double weight = 0;
};

// How labels speak for one another, the strongest in absolute value first, up to `top`; those of
// weight 0 are left out. Pairwise: A_vw, v < w. Chain: θ_vu from u, which was given, to v. None in
// an independent model.
std::vector<LabelLink> strongest_links(const LabelModel& model, Index top);

// All of that, as `inspect` tells it; `name` is the model's.
Value inspect_record(const LabelModel& model, Index top);
std::string inspect_text(const LabelModel& model, const std::string& name, Index top);

}  // namespace trellis::label
