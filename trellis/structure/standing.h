// How a value of a structure relates to the exact value, as part of its type. Losses and
// certificates are made of such values, and claim no more than these.
//
//   kExact       the value itself, up to rounding
//   kUpperBound  never below the value (a relaxation's best score, a reweighted log Σ)
//   kLowerBound  never above it (the score of an output found by a search)
//   kNeither     an estimate (loopy belief propagation)
#pragma once

#include "trellis/base/names.h"

namespace trellis {

enum class Standing { kExact, kUpperBound, kLowerBound, kNeither };
constexpr auto names_of(Standing) {
  return Names{"standing", "exact", "upper bound", "lower bound", "estimate"};
}

// The score of an output found by a search, and a bound on the best score: value ≤ max ≤ upper, up
// to rounding.
struct MaximumBounds {
  double value = 0;
  double upper = 0;
};

// For maximize(s) and log_partition(s). The default is kExact.
template <class S>
constexpr Standing standing_of_maximum() {
  if constexpr (requires { S::kMaximumStanding; }) {
    return S::kMaximumStanding;
  } else {
    return Standing::kExact;
  }
}
template <class S>
constexpr Standing standing_of_sums() {
  if constexpr (requires { S::kSumStanding; }) {
    return S::kSumStanding;
  } else {
    return Standing::kExact;
  }
}

}  // namespace trellis
