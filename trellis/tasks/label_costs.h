// What it costs to miss a label, as users say it: by name.
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

// For each label its weight, or 1 where none is given. Throws UsageError for a weight of a label
// that does not occur, or that is not a number ≥ 0.
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
