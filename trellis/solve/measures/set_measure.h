// The quality of a predicted set ȳ of items against the true one y, out of V items (Petterson &
// Caetano 2010; Petterson 2011, sec. 3.2.1 and table 3.2). With h = |y ∩ ȳ|, k = |ȳ|, p = |y|:
//
//   F_β        (1 + β²) h / (β² p + k)
//   precision  h / k            the limit of F_β for β → 0
//   recall     h / p            the limit of F_β for β → ∞
//   Hamming    1 − (p + k − 2h) / V
//
// If both sets are empty, every measure is 1. If one is empty, the first three are 0: the precision
// of an empty prediction and the recall of an empty truth equal F_β there.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

struct SetCounts {
  Index hits = 0;       // h
  Index predicted = 0;  // k
  Index truth = 0;      // p
  Index items = 0;      // V

  SetCounts& operator+=(const SetCounts& more) {
    hits += more.hits;
    predicted += more.predicted;
    truth += more.truth;
    items += more.items;
    return *this;
  }
};

struct SetMeasure {
  enum class Kind { kFBeta, kPrecision, kRecall, kHamming };

  Kind kind = Kind::kFBeta;
  double beta = 1;  // kFBeta only; finite and > 0

  // Throws UsageError unless β is finite and > 0.
  void validate() const;

  // In [0, 1], and exactly 1 for y itself.
  double score(const SetCounts& counts) const;
  // Δ = 1 − score
  double loss(const SetCounts& counts) const { return 1 - score(counts); }
  // The contribution of an item of y to Δ if the prediction has k ≥ 1 items: Δ = constant −
  // reward(k) · h, except Hamming, where Δ = (p + k − 2h)/V also contains k. p ≥ 1.
  double reward(Index predicted, Index truth, Index items) const;
};

}  // namespace trellis
