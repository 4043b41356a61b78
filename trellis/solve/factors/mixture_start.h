// A start for the descent of B(θ, ρ) (reweighted_sums.h): mirror ascent on the dual problem (Beck &
// Teboulle 2003),
//
//   max_μ  s·μ + Σ_k ρ_k H_k(μ),
//
// with the entropy of the largest forest as the mirror map. Given its marginals μ, the scores of
// the other forests are those with the same marginals (factor_fit.h): in an acyclic piece θ_i =
// logit μ_i − Σ_f m^f_i, where m^f are the messages of factor f alone. The largest forest moves
// half the way from its scores to the rest of s, for a few rounds. If one forest has most of the
// weight, this replaces many more evaluations of a descent from zero. Any θ gives a bound, so
// nothing need be exact.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_fit.h"
#include "trellis/solve/factors/forest_mixture.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class MixtureStart {
 public:
  // After mixture.sum(), with θ = s: sets θ of the best of at most `rounds` rounds, for the weights
  // of the mixture. `value` is B, before and after.
  void improve(Index rounds, ForestMixture& mixture, double& value);

 private:
  void find_largest(const ForestMixture& mixture);
  void read_marginals(const ForestMixture& mixture);
  void fit_factors(const ForestMixture& mixture);
  void share_scores(ForestMixture& mixture);

  FactorFit fit_;
  Index largest_ = 0;                           // forest
  std::vector<bool> in_largest_;                // by entry
  std::vector<double> log_odds_, log_chances_;  // by state
  std::vector<double> messages_;                // by link: m^f
  std::vector<double> left_, others_;           // by state
  std::vector<Index> entries_;                  // by state: of the piece at hand
  std::vector<double> best_;
};

}  // namespace trellis
