// The weights of an aligner that has learned from links, with the names of their features.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/align/supervised/supervised_aligner.h"

namespace trellis::align {

struct NamedWeight {
  std::string name;
  double weight = 0;
};

// By position in the weight vector: "dice"; for the d-th link of a word "source link 2: bias".
std::vector<std::string> weight_names(const SupervisedAligner& aligner);
// The largest absolute weights; zeros are left out.
std::vector<NamedWeight> largest_weights(const SupervisedAligner& aligner, Index top);

}  // namespace trellis::align
