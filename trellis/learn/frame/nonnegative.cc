#include "trellis/learn/frame/nonnegative.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis {

void clip(WeightRanges nonnegative, std::span<double> w) {
  for (const WeightRange& range : nonnegative) {
    for (Index j = range.begin; j < range.end; ++j) {
      if (!(w[j] >= 0)) w[j] = 0;
    }
  }
}

void require_unrestricted(const Oracle& oracle, std::string_view learner) {
  if (oracle.nonnegative().empty()) return;
  throw UsageError(
      fmt::format("{} cannot keep weights non-negative, but some weights of this problem must be "
                  ">= 0: choose BMRM, BCFW, DCA with a stored dual, SGD, MIRA or the perceptron",
                  learner));
}

}  // namespace trellis
