// The weights of an aligner that has learned from links, each with the name of its feature.
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

// By place in the vector of weights: "dice"; of the d-th link of a word "source link 2: bias".
std::vector<std::string> weight_names(const SupervisedAligner& aligner);
// The largest, by size; those of 0 are left out.
std::vector<NamedWeight> largest_weights(const SupervisedAligner& aligner, Index top);

}  // namespace trellis::align
