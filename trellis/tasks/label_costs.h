// The cost of a missed label, given by the label's name.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis {

// The weight of each label, or 1 if none is given. Throws UsageError for a weight that is not a
// number ≥ 0, or whose label does not occur.
inline std::vector<double> label_costs(std::span<const std::string> labels,
                                       const std::map<std::string, double>& weights) {
  std::vector<double> costs(labels.size(), 1.0);
  for (const auto& [label, weight] : weights) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) {
      throw UsageError(fmt::format(
          "the label '{}' of --label-weight does not occur in the training set", label));
    }
    if (!(weight >= 0) || std::isinf(weight)) {
      throw UsageError(
          fmt::format("the weight of label '{}' is {}, not a number that is ≥ 0", label, weight));
    }
    costs[static_cast<Index>(found - labels.begin())] = weight;
  }
  return costs;
}

}  // namespace trellis
