// How many outputs of a search with a limit are not proved to be the best by the model, and what
// they may score less than the best: a part of what predict and evaluate report.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/value.h"

namespace trellis {

struct SearchCounts {
  Index outputs = 0;
  Index not_proven = 0;    // the limit ended the search
  double largest_gap = 0;  // upper bound − score

  void add(double gap);  // 0 where the output is proved to be the best
  // For people: "3 of 20 pairs: …"; empty where all are proved. `outputs_are`: "pairs".
  std::string sentence(std::string_view outputs_are) const;
  void put(Value& record) const;  // not_proven, largest_gap
};

}  // namespace trellis
