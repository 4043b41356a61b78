// The risk η Σ_k h(L_k(θ)) of working sets of examples, as cuts: at any θ the tangent (μ, ω) with
//
//   η Σ_k h(L_k(θ')) ≥ ω + μ'θ'  for all θ',  and equality at θ,
//
// which is a point of 𝒟 where ω + θ'μ is largest: the direction-finding subproblem (Yu, Bertsekas &
// Rousu, Eq. 12, where each maximum carries the factor η). Written so, it does not matter what
// makes L_k convex: for the hinge 𝒟 is the polytope of Eq. 9, for quadratic penalties and for
// conditional likelihood it has a round border, and simplicial decomposition works on either.
//
// Set j of N has the examples j, j + N, j + 2N, …
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/base/types.h"
#include "trellis/oracle/oracle.h"

namespace trellis {

enum class Penalty { kLinear, kQuadratic };  // h(ε) = ε, or ε²/2

class MarginRisk {
 public:
  // `losses` must outlive this. Throws UsageError where there is no example.
  MarginRisk(const ConvexOracle& losses, double eta, Penalty penalty, Index num_sets, int threads);

  Index num_sets() const { return num_sets_; }
  Index dimension() const { return losses_->dimension(); }
  // Returns the risk of a set at θ, and writes its slope over `mu`; ω is the risk less θ'μ. Bits do
  // not depend on the number of threads.
  double cut(Index set, std::span<const double> theta, std::span<double> mu);

 private:
  double accumulate(Index example, std::span<const double> theta, Scratch& scratch, Cut& cut,
                    std::span<double> mu) const;

  const ConvexOracle* losses_;
  double eta_;
  Penalty penalty_;
  Index num_sets_;
  int threads_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  // one for each thread
  std::vector<Cut> cuts_;
  SumBuffers buffers_;
};

}  // namespace trellis
