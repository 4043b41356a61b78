// Sums over all derivations D of a forest's goal (packed_forest.h) of exp s(D): their logarithm,
// the marginals of nodes and edges, the entropy, and draws. O(N + E) time, with one exponential for
// each edge, and O(N + E) memory.
//
// Each sum is a mass times the exponential of a shift (inside_kernels.h), safe for scores of ±1e9.
// With these sums the distribution is a branching process from the goal down: each node chooses one
// of its edges with probabilities of its own, and then the tails choose. Marginals are sums of
// products of these probabilities, and the entropy Σ P(v) · H(its choice) has no negative term.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/forests/inside_kernels.h"
#include "trellis/solve/forests/packed_forest.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class DerivationSums {
 public:
  // log Σ_D exp s(D), −∞ if there is no derivation.
  double log_sum(const PackedForest& forest, std::span<const double> s);
  // Also the probabilities of nodes and edges; all 0 if there is no derivation. Returns the same
  // bits.
  double log_sum(const PackedForest& forest, std::span<const double> s,
                 std::span<double> marginals);
  // The entropy of the distribution exp s(D) / Σ; 0 if there is no derivation.
  double entropy(const PackedForest& forest, std::span<const double> s);
  // A draw from it: edges in preorder, left tails first. False, and no edges, without a derivation.
  bool draw(const PackedForest& forest, std::span<const double> s, Random& random,
            std::vector<std::uint32_t>& edges);

 private:
  double fill(const PackedForest& forest, std::span<const double> s, double* weights);
  template <class Choose>
  void go_down(const PackedForest& forest, double* weights, const Choose& choose);

  std::vector<InsideSum> sums_;
  std::vector<double> totals_, exponents_, tail_masses_;
  std::vector<double> weights_;  // where no marginals are to be written
  std::vector<double> chances_;  // by slots
  std::vector<std::uint32_t> open_;
};

}  // namespace trellis
