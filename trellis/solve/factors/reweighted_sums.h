// An upper bound on log Z = log Σ over legal assignments x of exp(s·z(x)), tree-reweighted
// (Wainwright, Jaakkola & Willsky 2005) with factors of any kind for edges.
//
// The forests k of a ForestCover have weights ρ_k > 0, Σ ρ_k = 1, and their own scores θ^k: for all
// states, and for the own parts of the factors that they contain. Let A_k be log Σ over assignments
// that the factors of forest k allow, which is exact by message passing. If Σ_k ρ_k θ^k = s,
//
//   log Z = log Σ_{x legal} exp Σ_k ρ_k θ^k·z(x) ≤ Σ_k ρ_k log Σ_{x legal} exp θ^k·z(x)
//         ≤ Σ_k ρ_k A_k(θ^k) = B,
//
// first because log Σ exp is convex, and then because an assignment that is legal in the graph is
// legal in each forest. That holds for all θ and ρ, and so for every iterate, before convergence
// too.
//
// L-BFGS minimises B(θ, ρ) in both, from the start of mixture_start.h. In ϑ^k = ρ_k θ^k and ρ it is
// a sum of perspectives of convex functions, jointly convex, and so in s, too: min B is a convex
// function of s, whose gradient are the averages μ = Σ_k ρ_k μ^k of the forests' marginals. At the
// minimum over θ all μ^k are the same; the residual is the largest difference of a state's marginal
// from the average. Away from the minimum the averages are the gradient only up to that residual.
//
// The code has fewer variables: a variable that is single in several forests has one copy, with
// their total weight, and the own scores of a factor are the same s_p / ρ(f) in all forests that
// contain it, where ρ(f) = Σ of their weights. Neither loses anything: A is convex, so copies in
// the same position are best equal; and given states' marginals the entropy of a forest is that of
// its variables minus each factor's multi-information (convex in the factor's marginals), the same
// function in each forest.
//
// On a single pair or cycle of pairs this is tree-reweighted belief propagation. In a parser's
// graph the TREE factor is a forest by itself, with nearly all weight and the entropy of trees; the
// other forests cover siblings and grandparents. An acyclic graph is one forest, and B = log Z.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/convergence.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/solve/factors/forest_mixture.h"
#include "trellis/solve/factors/mixture_start.h"
#include "trellis/solve/smooth_minimum.h"

namespace trellis {

struct ReweightedOptions {
  Index max_evaluations = 20;  // of B; at least 1
  double tolerance = 1e-3;     // on the residual
};

// Reuses its memory in repeated calls; use one object per thread. What it answers depends on
// nothing but the arguments.
class ReweightedSums {
 public:
  // B. Writes over `marginals` its gradient in s at the θ and ρ that were found, by part. −∞ where
  // a forest allows nothing, or where B falls below −Σ|s|: then nothing is legal, for log Z is at
  // least the score of any assignment. Marginals are 0 then.
  double log_sum(const ForestCover& cover, std::span<const double> s,
                 const ReweightedOptions& options, std::span<double> marginals);
  // Σ_k ρ_k H_k of the distributions of the same forests; where they agree, B = s·μ + that.
  double entropy(const ForestCover& cover, std::span<const double> s,
                 const ReweightedOptions& options);
  // Of the last call; iterations are evaluations of B.
  const Convergence& convergence() const { return convergence_; }

 private:
  class Bound;

  double minimize(Bound& bound, const ReweightedOptions& options);

  ForestMixture mixture_;
  MixtureStart start_;
  SmoothMinimizer minimizer_;
  Convergence convergence_;
  std::vector<double> x_;
  std::vector<double> first_rho_, rho_, roots_, offsets_;
  std::vector<double> means_;    // by state: of offsets
  std::vector<double> average_;  // by part, at the best point
};

}  // namespace trellis
