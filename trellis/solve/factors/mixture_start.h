// Where to start the descent of B(θ, ρ) (reweighted_sums.h): mirror ascent on the other side of the
// problem (Beck & Teboulle 2003),
//
//   max_μ  s·μ + Σ_k ρ_k H_k(μ),
//
// with the entropy of the largest forest for the mirror. Given its marginals μ, the others' scores
// are those that would have the same (factor_fit.h): in an acyclic piece
// θ_i = logit μ_i − Σ_f m^f_i, where m^f are the messages of factor f alone. The largest forest
// moves half of the way from where it is to what they leave of s, and so on for a few rounds. Where
// one forest carries most of the weight that does for what takes a descent from nothing many more
// evaluations. Any θ gives a bound, so nothing need be exact.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_fit.h"
#include "trellis/solve/factors/forest_mixture.h"

namespace trellis {

// Holds its memory, which repeated calls reuse; one for each thread.
class MixtureStart {
 public:
  // After mixture.sum(), with θ = s: sets θ of the best of so many rounds, at the weights that the
  // mixture has. `value` is B, in and out.
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
