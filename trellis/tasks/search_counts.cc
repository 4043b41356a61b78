#include "trellis/tasks/search_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace trellis {

void SearchCounts::add(double gap) {
  ++outputs;
  if (gap > 0) ++not_proven;
  largest_gap = std::max(largest_gap, gap);
}

std::string SearchCounts::sentence(std::string_view outputs_are) const {
  if (not_proven == 0) return {};
  return fmt::format(
      "{} of {} {} reached --search-limit: their predictions are not proven to be the best, and "
      "score at most {:.3g} below the best",
      not_proven, outputs, outputs_are, largest_gap);
}

void SearchCounts::put(Value& record) const {
  record["not_proven"] = not_proven;
  record["largest_gap"] = largest_gap;
}

}  // namespace trellis
