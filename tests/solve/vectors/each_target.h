// Runs a computation on each of the vector instruction sets that this machine has.
#pragma once

#include "trellis/solve/vectors/vector_targets.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <utility>
#include <vector>

namespace trellis {

// compute() once per target, slowest first; the results in that order. The baseline is one of them.
template <class Compute>
auto on_each_target(const Compute& compute) {
  std::vector<decltype(compute())> results;
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  for (auto target = targets.rbegin(); target != targets.rend(); ++target) {
    hwy::SetSupportedTargetsForTest(*target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    results.push_back(compute());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return results;
}

}  // namespace trellis
