#include "trellis/solve/draw.h"

#include <cassert>

namespace trellis {

Index draw(std::span<const double> weights, Random& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  return draw(weights, total, random);
}

Index draw(std::span<const double> weights, double total, Random& random) {
  assert(total > 0);
  const double threshold = random.uniform() * total;
  double sum = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (threshold < sum) return i;
  }
  // Rounding left the threshold above the last partial sum.
  Index last = weights.size() - 1;
  while (last > 0 && weights[last] == 0) --last;
  return last;
}

}  // namespace trellis
