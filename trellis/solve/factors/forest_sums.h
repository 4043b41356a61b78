// Exact sums over a piece of a forest of factors (forest_cover.h): messages from the leaves to the
// root, and back (Kschischang, Frey & Loeliger 2001, sec. III). Each factor is evaluated twice, the
// root once.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/factor_messages.h"
#include "trellis/solve/factors/factor_sums.h"
#include "trellis/solve/factors/forest_cover.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class ForestSums {
 public:
  using Piece = ForestCover::Piece;

  // Before anything else, and when the cover has changed.
  void reset(const ForestCover& cover);

  // log Σ over the assignments that the piece's factors allow of exp(Σ θ z + Σ own), for θ by the
  // piece's states and own scores by all parts of the graph. Writes marginals of both, by the same
  // numbers: those of its factors' own parts. −∞ if no assignment is legal.
  double sum(const Piece& piece, std::span<const double> theta, std::span<const double> parts,
             std::span<double> marginals, std::span<double> part_marginals);
  // After sum(), of the same piece with the same scores.
  double entropy(const Piece& piece, std::span<const double> theta, std::span<const double> parts);

 private:
  bool is_simple(const Piece& piece) const;
  double sum_factor(const FactorGraphLayout::Factor& f, std::span<const double> eta,
                    std::span<const double> parts, std::span<double> part_marginals);
  double sum_simple(const Piece& piece, std::span<const double> theta,
                    std::span<const double> parts, std::span<double> marginals,
                    std::span<double> part_marginals);
  void read_links(const Piece& piece, std::span<const double> theta);

  const ForestCover* cover_ = nullptr;
  FactorSums sums_;
  FactorMessages messages_;
  std::vector<double> heard_;
  std::vector<double> eta_;
  std::vector<std::uint32_t> place_;  // of a state in the piece
};

}  // namespace trellis
