#include "trellis/solve/draw.h"

#include <cassert>

namespace trellis {

Index draw(std::span<const double> weights, Random& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  assert(total > 0);
  const double threshold = random.uniform() * total;
  double sum = 0;
  Index chosen = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    chosen = i;  // stays, should rounding leave the threshold above the last partial sum
    sum += weights[i];
    if (threshold < sum) break;
  }
  return chosen;
}

}  // namespace trellis
