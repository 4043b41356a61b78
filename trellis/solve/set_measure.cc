#include "trellis/solve/set_measure.h"

namespace trellis {

double SetMeasure::score(const SetCounts& counts) const {
  if (counts.truth == 0 && counts.predicted == 0) return 1;
  if (kind == Kind::kHamming) {
    const Index wrong = counts.truth + counts.predicted - 2 * counts.hits;
    return 1 - static_cast<double>(wrong) / static_cast<double>(counts.items);
  }
  if (counts.hits == 0) return 0;
  return reward(counts.predicted, counts.truth, counts.items) * static_cast<double>(counts.hits);
}

double SetMeasure::reward(Index predicted, Index truth, Index items) const {
  const auto k = static_cast<double>(predicted);
  const auto p = static_cast<double>(truth);
  switch (kind) {
    case Kind::kFBeta:
      return (1 + beta * beta) / (beta * beta * p + k);
    case Kind::kPrecision:
      return 1 / k;
    case Kind::kRecall:
      return 1 / p;
    case Kind::kHamming:
      return 2 / static_cast<double>(items);
  }
  return 0;
}

}  // namespace trellis
