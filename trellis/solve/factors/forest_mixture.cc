#include "trellis/solve/factors/forest_mixture.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kNoWeight = 1e-12;  // what rounding leaves of 1 − Σ ρ

}  // namespace

void ForestMixture::reset(const ForestCover& cover, std::span<const double> s) {
  const FactorGraphLayout& layout = cover.layout();
  assert(s.size() == layout.num_parts());
  cover_ = &cover;
  s_ = s;
  piece_entries_ = cover.num_piece_states();
  forests_.reset(cover);
  rho_.resize(cover.num_forests());
  factor_rho_.resize(layout.num_factors());
  for (std::vector<double>* by_entry : {&weights_, &theta_, &chances_}) {
    by_entry->resize(num_entries());
  }
  for (std::vector<double>* by_part : {&part_scores_, &part_chances_, &average_}) {
    by_part->resize(layout.num_parts());
  }
  piece_sums_.resize(cover.pieces().size());
  alone_sums_.resize(layout.num_variables());
}

std::span<double> ForestMixture::of_variable(std::vector<double>& by_entry, Index v) const {
  const FactorGraphLayout& layout = cover_->layout();
  return std::span(by_entry).subspan(alone_entry(layout.state(v, 0)), layout.arity(v));
}

void ForestMixture::set_weights(std::span<const double> rho) {
  const FactorGraphLayout& layout = cover_->layout();
  std::ranges::copy(rho, rho_.begin());
  std::ranges::fill(factor_rho_, 0.0);
  for (const ForestCover::Piece& piece : cover_->pieces()) {
    std::ranges::fill(of_piece(weights_, piece), rho[piece.forest]);
    for (const std::uint32_t f : cover_->factors(piece)) factor_rho_[f] += rho[piece.forest];
  }
  const auto alone = std::span(weights_).subspan(piece_entries_);
  std::ranges::fill(alone, 1.0);
  for (Index e = 0; e < piece_entries_; ++e) alone[state_of(e)] -= weights_[e];
  for (double& weight : alone) {
    if (weight < kNoWeight) weight = 0;
  }
  for (Index f = 0; f < layout.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    for (Index p = factor.parts_begin; p < factor.parts_end; ++p) {
      part_scores_[p] = s_[p] / factor_rho_[f];
    }
  }
}

double ForestMixture::sum() {
  std::ranges::fill(average_, 0.0);
  double value = 0;
  for (const ForestCover::Piece& piece : cover_->pieces()) {
    value += sum_piece(piece);
    if (value == -kInfinity) return value;
  }
  for (Index v = 0; v < cover_->layout().num_variables(); ++v) value += sum_alone(v);
  for (Index e = 0; e < num_entries(); ++e) average_[state_of(e)] += weights_[e] * chances_[e];
  return value;
}

double ForestMixture::sum_alone(Index v) {
  const std::span<const double> theta = of_variable(theta_, v);
  const std::span<double> chances = of_variable(chances_, v);
  const double weight = of_variable(weights_, v)[0];
  if (weight == 0) {
    std::ranges::fill(chances, 0.0);
    alone_sums_[v] = 0;
  } else if (cover_->layout().is_switch(v)) {
    chances[0] = chance_of(theta[0]);
    alone_sums_[v] = softplus(theta[0]);
  } else {
    alone_sums_[v] = softmax(theta, chances);
  }
  return weight * alone_sums_[v];
}

double ForestMixture::sum_piece(const ForestCover::Piece& piece) {
  const FactorGraphLayout& layout = cover_->layout();
  const double value = forests_.sum(piece, of_piece(theta_, piece), part_scores_,
                                    of_piece(chances_, piece), part_chances_);
  piece_sums_[static_cast<Index>(&piece - cover_->pieces().data())] = value;
  if (value == -kInfinity) return value;
  const double rho = rho_[piece.forest];
  for (const std::uint32_t f : cover_->factors(piece)) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    const double share = rho / factor_rho_[f];
    for (Index p = factor.parts_begin; p < factor.parts_end; ++p) {
      average_[p] += share * part_chances_[p];
    }
  }
  return rho * value;
}

double ForestMixture::residual() const {
  double largest = 0;
  for (Index e = 0; e < num_entries(); ++e) {
    if (weights_[e] > 0) {
      largest = std::max(largest, std::abs(chances_[e] - average_[state_of(e)]));
    }
  }
  return largest;
}

// ∂B/∂ρ_k = A_k − Σ_i μ_i offset_ki − Σ_{f in k} s_f·μ_f / ρ(f), where A_k and the offsets are of
// the pieces of k and of the variables that are alone in it: of all that ever are, less those in
// pieces.
void ForestMixture::differentiate_weights(std::span<const double> offsets,
                                          std::span<double> slopes) {
  const FactorGraphLayout& layout = cover_->layout();
  const auto weigh_offset = [&](Index entry) { return average_[state_of(entry)] * offsets[entry]; };
  double all_alone = 0;
  for (Index v = 0; v < layout.num_variables(); ++v) {
    const Index first = alone_entry(layout.state(v, 0));
    for (Index k = 0; k < layout.arity(v); ++k) alone_sums_[v] -= weigh_offset(first + k);
    all_alone += alone_sums_[v];
  }
  std::ranges::fill(slopes, all_alone);
  for (Index number = 0; number < cover_->pieces().size(); ++number) {
    const ForestCover::Piece& piece = cover_->pieces()[number];
    double& slope = slopes[piece.forest];
    slope += piece_sums_[number];
    for (Index k = 0; k < piece.num_states; ++k) slope -= weigh_offset(piece.states_begin + k);
    for (const std::uint32_t v : cover_->variables(piece)) slope -= alone_sums_[v];
    for (const std::uint32_t f : cover_->factors(piece)) {
      const FactorGraphLayout::Factor& factor = layout.factor(f);
      const Index parts = factor.parts_end - factor.parts_begin;
      slope -= dot(s_.subspan(factor.parts_begin, parts),
                   std::span(average_).subspan(factor.parts_begin, parts)) /
               factor_rho_[f];
    }
  }
}

double ForestMixture::entropy() {
  double total = 0;
  for (const ForestCover::Piece& piece : cover_->pieces()) {
    const std::span<const double> theta = of_piece(theta_, piece);
    forests_.sum(piece, theta, part_scores_, of_piece(chances_, piece), part_chances_);
    total += rho_[piece.forest] * forests_.entropy(piece, theta, part_scores_);
  }
  for (Index v = 0; v < cover_->layout().num_variables(); ++v) {
    const std::span<const double> theta = of_variable(theta_, v);
    const double weight = of_variable(weights_, v)[0];
    if (weight == 0) continue;
    total += weight * (theta.size() == 1 ? binary_entropy(theta[0]) : softmax_entropy(theta));
  }
  return total;
}

}  // namespace trellis
