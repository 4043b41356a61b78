// Weights that must stay ≥ 0 (Oracle::nonnegative): the set W = {w : w_j ≥ 0 for j ∈ N}.
//
// The nearest point of W is found coordinate by coordinate, w_j ← max(w_j, 0) on N, so a learner
// that steps and then clips is a projected subgradient method.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

using WeightRanges = std::span<const WeightRange>;

// w ← the nearest point of W.
void clip(WeightRanges nonnegative, std::span<double> w);

// The same where only the coordinates of `touched` can have left W. raised(j, by) is told of every
// weight that is brought back to 0, and by how much. Time: the runs of `touched`, the ranges, and
// the coordinates that both have.
template <class Raised>
void clip_touched(WeightRanges nonnegative, const SparseVector& touched, std::span<double> w,
                  const Raised& raised) {
  auto range = nonnegative.begin();
  for (const SparseVector::Run& run : touched.runs()) {
    const Index run_end = run.begin + run.size;
    while (range != nonnegative.end() && range->end <= run.begin) ++range;
    for (auto within = range; within != nonnegative.end() && within->begin < run_end; ++within) {
      const Index end = std::min(within->end, run_end);
      for (Index j = std::max(within->begin, run.begin); j < end; ++j) {
        if (w[j] >= 0) continue;
        raised(j, -w[j]);
        w[j] = 0;
      }
    }
  }
}

// Throws UsageError if there are weights that must stay ≥ 0: for a learner that cannot keep them
// there.
void require_unrestricted(const Oracle& oracle, std::string_view learner);

}  // namespace trellis
