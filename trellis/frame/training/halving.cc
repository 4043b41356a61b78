#include "trellis/frame/training/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trellis {

std::vector<Index> better_half(std::span<const Index> racing, std::span<const double> standings) {
  std::vector<Index> order(racing.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return standings[a] > standings[b] || (std::isnan(standings[b]) && !std::isnan(standings[a]));
  });
  std::vector<Index> half;
  for (Index k = 0; 2 * k < racing.size(); ++k) half.push_back(racing[order[k]]);
  std::sort(half.begin(), half.end());
  return half;
}

}  // namespace trellis
