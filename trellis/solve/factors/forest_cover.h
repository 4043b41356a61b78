// A factor graph as several acyclic ones: forests of factors, each over all variables, such that
// every factor is in one or more of them. On a forest sums are exact (forest_sums.h), and averages
// of these bound those of the graph (reweighted_sums.h).
//
// A factor fits into a forest where its variables are in different components of it (Kruskal 1956).
// Each forest takes the largest first of the factors that are left over; so a TREE factor is a
// forest by itself. Where others make two or three forests, they are filled up with factors that
// others have, those first that have been taken least often, and become kLeastForests: a cycle of
// pairs is then in each of them but for one pair.
// A factor with two states of one variable makes a cycle by itself. It gets a component of its own,
// in which states of its variables are on and off as if they had nothing to do with each other:
// there are more assignments then, which a bound from above may count.
//
// Of a forest the components with factors are kept, its pieces; all other variables stand alone.
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
  // The variable that each of these factors hangs on; kNone for the root.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::span<const std::uint32_t> parents(const Piece& piece) const {
    return std::span(parents_).subspan(piece.factors_begin,
                                       piece.factors_end - piece.factors_begin);
  }
  std::span<const std::uint32_t> variables(const Piece& piece) const {
    return std::span(variables_)
        .subspan(piece.variables_begin, piece.variables_end - piece.variables_begin);
  }
  // States of all pieces, a number for each (piece, state).
  Index num_piece_states() const { return piece_states_.size(); }
  std::span<const std::uint32_t> piece_states() const { return piece_states_; }
  // Whether the variable stands alone in the forest.
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
