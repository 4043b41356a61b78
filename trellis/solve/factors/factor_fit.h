// The inverse of factor_sums.h: the η that gives a factor's linked states the desired marginals.
//
// η_l = logit μ_l − m_l(η), where m are the factor's messages (log μ_l in a TABLE or a SEQUENCE,
// for states of variables of arity ≥ 2). Exact for a PAIR, whose 2 × 2 table is the root of a
// quadratic (Plackett 1965); other kinds take a few steps of m ← (m + m(η)) / 2, which is exact
// only in the limit, if at all. For starting points, which need not be exact.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/factor_sums.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class FactorFit {
 public:
  // `log_odds` and `log_chances` are of all states, of marginals within (0, 1). `messages` by link:
  // in, where to start; out, the m of the η found.
  void fit(const FactorGraphLayout& layout, const FactorGraphLayout::Factor& f,
           std::span<const double> own_scores, std::span<const double> log_odds,
           std::span<const double> log_chances, std::span<double> messages);

 private:
  FactorSums sums_;
  std::vector<double> eta_, heard_;
};

struct PairScores {
  double a = 0, b = 0;
};
// The scores of two states whose marginals are a and b, in (0, 1), when both together score `both`.
PairScores fit_pair(double a, double b, double both);

}  // namespace trellis
