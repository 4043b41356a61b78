// Weights that must stay ≥ 0 (Oracle::nonnegative): the set W = {w : w_j ≥ 0 for j ∈ N}.
//
// The nearest point of W is computed coordinate by coordinate, w_j ← max(w_j, 0) on N, so a learner
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

// The same if only the coordinates of `touched` can have left W. Calls raised(j, by) for every
// weight that is raised to 0 by that amount. Time: the runs of `touched`, the ranges, and the
// coordinates in both.
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

// Throws UsageError if there are weights that must stay ≥ 0: for learners that cannot keep them so.
void require_unrestricted(const Oracle& oracle, std::string_view learner);

}  // namespace trellis
