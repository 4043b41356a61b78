// The average of sums over forests, B = Σ_k ρ_k A_k(θ^k), that bounds log Z (reweighted_sums.h), at
// a point: weights ρ and scores θ.
//
// A state of a piece of a forest is an *entry*; so is a state of a variable by itself, which stands
// for all forests where the variable is alone and has their weight. The latter stand behind the
// former. What is averaged at a state i are its entries e, whose weights c_e add up to 1.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/solve/factors/forest_sums.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class ForestMixture {
 public:
  // `cover` and `s` must outlive the calls that follow.
  void reset(const ForestCover& cover, std::span<const double> s);

  const ForestCover& cover() const { return *cover_; }
  std::span<const double> scores() const { return s_; }
  Index num_entries() const { return piece_entries_ + cover_->layout().num_states(); }
  Index state_of(Index entry) const {
    return entry < piece_entries_ ? cover_->piece_states()[entry] : entry - piece_entries_;
  }
  Index alone_entry(Index state) const { return piece_entries_ + state; }
  // The states of a piece, of what is by entry.
  template <class Values>
  auto of_piece(Values& by_entry, const ForestCover::Piece& piece) const {
    return std::span(by_entry).subspan(piece.states_begin, piece.num_states);
  }

  // ρ > 0 by forest, of sum 1. Own scores become s_p / ρ(f), the same in all forests that have f.
  void set_weights(std::span<const double> rho);
  std::span<const double> rho() const { return rho_; }
  std::span<const double> weights() const { return weights_; }         // by entry; 0: there is none
  std::span<const double> own_scores() const { return part_scores_; }  // by part
  // By entry, to be set. Requires Σ c_e θ_e = s_i at each state.
  std::span<double> theta() { return theta_; }

  // B; −∞ where a forest allows nothing. All below is as of this call.
  double sum();
  std::span<const double> chances() const { return chances_; }  // by entry
  // By part: ∂B/∂s at these weights and differences of θ, the averages of marginals.
  std::span<const double> average() const { return average_; }
  double residual() const;  // the largest |chance − average|
  // ∂B/∂ρ_k, where entries keep their offsets, θ_e = s_i + offset_e − Σ c_e offset_e, and own
  // scores are s_p / ρ(f).
  void differentiate_weights(std::span<const double> offsets, std::span<double> slopes);
  // Σ_k ρ_k H_k
  double entropy();

 private:
  double sum_alone(Index v);
  double sum_piece(const ForestCover::Piece& piece);
  std::span<double> of_variable(std::vector<double>& by_entry, Index v) const;

  const ForestCover* cover_ = nullptr;
  std::span<const double> s_;
  Index piece_entries_ = 0;
  ForestSums forests_;
  std::vector<double> rho_;         // by forest
  std::vector<double> factor_rho_;  // by factor: ρ(f)
  std::vector<double> weights_, theta_, chances_;
  std::vector<double> part_scores_, part_chances_, average_;
  std::vector<double> piece_sums_, alone_sums_;  // A of pieces, and of variables by themselves
};

}  // namespace trellis
