// The derivations of a packed forest (solve/forests/packed_forest.h), such as the parses of a
// sentence under a context-free grammar. Parts are the forest's N nodes, followed by its E edges:
// s·z(y) = Σ over the edges of y of (s[N + edge] + s[the node that it enters]).
//
// All in O(N + E): maximize (from the bottom up), log_partition, entropy and sample (inside and
// outside, safe for part scores of ±1e9). k_best enumerates lazily (Huang & Chiang 2005, Algorithm
// 3). Ties go to the first edge, from the goal down.
//
// project: a nearest point by an active set of derivations (solve/polytopes/oracle_projection.h).
// linear_program: conservation of flow: the edges that enter a node have its flow, and so do those
// that use it; the goal has 1 (Martin, Rardin & Campbell 1990, "Polyhedral characterization of
// discrete dynamic programming"). It is the hull of the derivations if no derivation has a node
// twice because the tails of an edge have nothing in common, as in charts.
//
// If the goal has no derivation, maximize and sample leave y empty, and marginals and projections
// are 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/base/types.h"
#include "trellis/solve/forests/best_derivation.h"
#include "trellis/solve/forests/derivation_sums.h"
#include "trellis/solve/forests/k_best_derivations.h"
#include "trellis/solve/forests/packed_forest.h"
#include "trellis/solve/polytopes/linear_program.h"
#include "trellis/solve/polytopes/oracle_projection.h"
#include "trellis/solve/polytopes/polytope_projection.h"
#include "trellis/structure/structure.h"

namespace trellis {

class ParseForest {
 public:
  using Output = std::vector<std::uint32_t>;  // the edges in preorder, left tails first

  // Use one per thread. Only ParseForest reads the content, which has no meaning after a call.
  struct Scratch {
    BestDerivation maximum;
    KBestDerivations k_best;
    DerivationSums sums;
    OracleProjectionScratch projection;
    Output best;
  };

  // `forest` must outlive the structure.
  explicit ParseForest(const PackedForest& forest) : forest_(&forest) {}

  const PackedForest& forest() const { return *forest_; }
  Index num_parts() const { return forest_->num_parts(); }
  bool faces_by_zeros() const { return true; }

  bool legal(const Output& y) const;
  void indicator(const Output& y, std::span<double> z) const;      // requires legal(y)
  double score(std::span<const double> s, const Output& y) const;  // requires legal(y)

  double maximize(std::span<const double> s, Scratch& scratch, Output& y) const;
  void k_best(std::span<const double> s, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Output>>& best) const;
  double log_partition(std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;
  double log_partition(std::span<const double> s, Scratch& scratch) const;  // the value alone
  double entropy(std::span<const double> s, Scratch& scratch) const;
  void sample(std::span<const double> s, Random& random, Scratch& scratch, Output& y) const;
  ProjectionResult project(std::span<const double> v, Scratch& scratch, std::span<double> z) const;
  LinearProgram linear_program() const;

 private:
  const PackedForest* forest_;
};

}  // namespace trellis
