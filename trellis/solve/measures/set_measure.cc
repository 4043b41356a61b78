#include "trellis/solve/measures/set_measure.h"

#include <algorithm>
#include <cmath>

#include "trellis/base/error.h"

namespace trellis {

void SetMeasure::validate() const {
  if (kind == Kind::kFBeta && !(std::isfinite(beta) && beta > 0)) {
    throw UsageError("the beta of F must be a number above 0");
  }
}

double SetMeasure::score(const SetCounts& counts) const {
  // The truth itself, even if empty: (1 + β²) p / (β² p + p) is 1 only up to rounding.
  if (counts.hits == counts.truth && counts.hits == counts.predicted) return 1;
  if (kind == Kind::kHamming) {
    const Index wrong = counts.truth + counts.predicted - 2 * counts.hits;
    return 1 - static_cast<double>(wrong) / static_cast<double>(counts.items);
  }
  if (counts.hits == 0) return 0;
  const double hits = static_cast<double>(counts.hits);
  return std::min(1.0, reward(counts.predicted, counts.truth, counts.items) * hits);
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
