// The loops of solve/matchings/subset_sums.h over all sets of columns, in vectors of eight sets:
// lane l adds to the columns from 3 on, the same for all lanes, those of the set l ⊆ {0, 1, 2}.
// Every operation is an IEEE operation on one lane, in the same order on all instruction sets.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

struct SubsetCoefficients {
  static constexpr Index kSmallest = 5;
  static constexpr Index kLanes = 8;
  static constexpr Index kQuads = 18;
  static constexpr double kTiny = 0x1p-250;  // what is smaller counts as 0

  // By k and column j: lane l has a_{k+|l|,j}, which pairs j with the row after a set of k columns
  // and l; 0 beyond the rows.
  const double* layout;
  // By k: the coefficients of the steps between the lanes, by fours. In the order of use nine that
  // add columns, and nine that take them away.
  const double* quads;
  Index n;

  const double* of(Index k) const { return layout + k * n * kLanes; }
  const double* quads_of(Index k) const { return quads + k * kQuads * 4; }
};

// f of all 2ⁿ sets, n ≥ kSmallest.
void sum_subsets_forward(const SubsetCoefficients& coefficients, double* f);
// b of all sets; adds to `totals`, which are laid out like the coefficients, f(S) b(S∪j). Lanes l
// with j ∈ l mean nothing.
void sum_subsets_backward(const SubsetCoefficients& coefficients, const double* f, double* b,
                          double* totals);

}  // namespace trellis
