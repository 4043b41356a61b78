// Covers a factor graph by several acyclic ones: forests of factors, each over all variables, such
// that every factor is in at least one forest. On a forest sums are exact (forest_sums.h), and
// their averages bound those of the graph (reweighted_sums.h).
//
// A factor fits into a forest if its variables are in different components of the forest (Kruskal
// 1956). Each forest takes the remaining factors, largest first; so a TREE factor is a forest by
// itself. If this gives two or three forests, there will be kLeastForests, filled up with factors
// of other forests, those used least often first: each forest then has all pairs of a cycle but
// one. A factor with two states of one variable makes a cycle by itself. It gets a component of its
// own, in which the states of its variables are on and off independently of each other: this allows
// more assignments, which is valid for an upper bound.
//
// Only components with factors are stored, as the pieces of a forest; all other variables are
// single.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis {

class ForestCover {
 public:
  static constexpr Index kLeastForests = 4;

  struct Piece {
    Index forest = 0;
    Index factors_begin = 0, factors_end = 0;      // of factors(): the root, and each behind the
                                                   // one that it hangs on
    Index variables_begin = 0, variables_end = 0;  // of variables()
    Index states_begin = 0, num_states = 0;        // of piece_states(), in the order of variables()
    bool untied = false;  // its variables' states do as they like; it has one factor
  };

  explicit ForestCover(const FactorGraphLayout& layout);

  const FactorGraphLayout& layout() const { return *layout_; }
  Index num_forests() const { return num_forests_; }
  std::span<const Piece> pieces() const { return pieces_; }
  std::span<const std::uint32_t> factors(const Piece& piece) const {
    return std::span(factors_).subspan(piece.factors_begin,
                                       piece.factors_end - piece.factors_begin);
  }
  // The variable by which each of these factors is attached; kNone for the root.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::span<const std::uint32_t> parents(const Piece& piece) const {
    return std::span(parents_).subspan(piece.factors_begin,
                                       piece.factors_end - piece.factors_begin);
  }
  std::span<const std::uint32_t> variables(const Piece& piece) const {
    return std::span(variables_)
        .subspan(piece.variables_begin, piece.variables_end - piece.variables_begin);
  }
  // States of all pieces, one number for each (piece, state).
  Index num_piece_states() const { return piece_states_.size(); }
  std::span<const std::uint32_t> piece_states() const { return piece_states_; }
  // Whether the variable is single in the forest.
  bool alone(Index forest, Index v) const { return alone_[forest * layout_->num_variables() + v]; }

 private:
  class Builder;

  const FactorGraphLayout* layout_;
  Index num_forests_ = 0;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> factors_, parents_, variables_, piece_states_;
  std::vector<bool> alone_;
};

}  // namespace trellis
