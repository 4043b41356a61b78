// How many outputs of a limited search are not proved best under the model, and by how much the
// best may score higher. predict and evaluate report both.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/value.h"

namespace trellis {

struct SearchCounts {
  Index outputs = 0;
  Index not_proven = 0;    // outputs for which the search reached its limit
  double largest_gap = 0;  // upper bound − score

  void add(double gap);  // gap: 0 if the output is proved best
  // For people: "3 of 20 pairs: …"; empty if all are proved. `outputs_are`: "pairs".
  std::string sentence(std::string_view outputs_are) const;
  void put(Value& record) const;  // keys not_proven, largest_gap
};

}  // namespace trellis
