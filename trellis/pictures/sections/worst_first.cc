#include "trellis/pictures/sections/worst_first.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace trellis::report {

std::vector<Index> worst_first(std::span<const double> errors, Index most) {
  assert(most >= 2);
  std::vector<Index> order(errors.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return errors[a] > errors[b]; });
  if (order.size() <= most) return order;
  std::vector<Index> shown;
  for (Index k = 0; k < most; ++k) shown.push_back(order[k * (order.size() - 1) / (most - 1)]);
  return shown;
}

}  // namespace trellis::report
