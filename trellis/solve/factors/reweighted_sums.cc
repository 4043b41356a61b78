#include "trellis/solve/factors/reweighted_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// A share of all weight that forests have in equal parts, so that none is ever without.
constexpr double kEqualShare = 0.01;

}  // namespace

// B as a function of x: offsets by entry, times the root of the entry's first weight, so that
// second derivatives are alike; and behind them log-weights of forests, relative to the first.
class ReweightedSums::Bound final : public SmoothFunction {
 public:
  Bound(const ForestCover& cover, std::span<const double> s, double tolerance, ReweightedSums& all)
      : cover_(cover), layout_(cover.layout()), s_(s), tolerance_(tolerance), all_(all) {
    piece_entries_ = cover.num_piece_states();
    entries_ = piece_entries_ + layout_.num_states();
    all_.weights_.resize(entries_);
    all_.offsets_.resize(entries_);
    all_.theta_.resize(entries_);
    all_.chances_.resize(entries_);
    all_.means_.resize(layout_.num_states());
    all_.average_.resize(layout_.num_parts());
    all_.part_scores_.resize(layout_.num_parts());
    all_.part_chances_.resize(layout_.num_parts());
    all_.rho_.resize(cover.num_forests());
    all_.rho_gradient_.resize(cover.num_forests());
    all_.factor_rho_.resize(layout_.num_factors());
    for (const double score : s) least_ -= 1.001 * std::abs(score);
    least_ -= 1;
    choose_first_weights();
  }

  Index size() const { return entries_ + cover_.num_forests(); }
  bool possible() const { return possible_; }
  double residual() const { return residual_; }

  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    weigh(x.subspan(entries_));
    score(x);
    value_ = sum_forests();
    differentiate(gradient);
    return possible_ ? value_ : kInfinity;
  }

  bool accept() override {
    all_.best_average_ = all_.average_;
    residual_ = next_residual_;
    if (value_ < least_) possible_ = false;
    return !possible_ || residual_ <= tolerance_;
  }

  // After evaluate() at the same point.
  double entropy() {
    double total = 0;
    for (const ForestCover::Piece& piece : cover_.pieces()) {
      const std::span<double> theta = of_piece(all_.theta_, piece);
      all_.forests_.sum(piece, theta, all_.part_scores_, of_piece(all_.chances_, piece),
                        all_.part_chances_);
      total += all_.rho_[piece.forest] * all_.forests_.entropy(piece, theta, all_.part_scores_);
    }
    for (Index v = 0; v < layout_.num_variables(); ++v) {
      const std::span<const double> theta = of_variable(all_.theta_, v);
      total += all_.weights_[piece_entries_ + layout_.state(v, 0)] *
               (layout_.is_switch(v) ? binary_entropy(theta[0]) : softmax_entropy(theta));
    }
    return total;
  }

 private:
  Index state_of(Index entry) const {
    return entry < piece_entries_ ? cover_.piece_states()[entry] : entry - piece_entries_;
  }
  std::span<double> of_piece(std::vector<double>& by_entry, const ForestCover::Piece& piece) const {
    Index size = 0;
    for (const std::uint32_t v : cover_.variables(piece)) size += layout_.arity(v);
    return std::span(by_entry).subspan(piece.states_begin, size);
  }
  std::span<double> of_variable(std::vector<double>& by_entry, Index v) const {
    return std::span(by_entry).subspan(piece_entries_ + layout_.state(v, 0), layout_.arity(v));
  }

  // By what the factors of a forest tie together: links less variables that go on by themselves.
  void choose_first_weights() {
    std::vector<double>& rho = all_.first_rho_;
    rho.assign(cover_.num_forests(), 0.0);
    for (const ForestCover::Piece& piece : cover_.pieces()) {
      const double tied = static_cast<double>(cover_.variables(piece).size()) - 1;
      rho[piece.forest] += tied;
    }
    for (double& r : rho) r = (1 + r) * (1 + r);
    const double total = sum(rho);
    for (double& r : rho) r /= total;
    const std::vector<double> zero(rho.size(), 0.0);
    weigh(zero);
    all_.first_weights_ = all_.weights_;
  }

  // ρ of forests, factors and entries.
  void weigh(std::span<const double> log_weights) {
    std::vector<double>& rho = all_.rho_;
    for (Index k = 0; k < rho.size(); ++k)
      rho[k] = log_weights[k] + portable_log(all_.first_rho_[k]);
    softmax(rho, rho);
    const double equal = 1 / static_cast<double>(rho.size());
    for (double& r : rho) r += kEqualShare * (equal - r);
    std::ranges::fill(all_.factor_rho_, 0.0);
    std::ranges::fill(std::span(all_.weights_).subspan(piece_entries_), 1.0);
    for (const ForestCover::Piece& piece : cover_.pieces()) {
      std::ranges::fill(of_piece(all_.weights_, piece), rho[piece.forest]);
      for (const std::uint32_t f : cover_.factors(piece)) all_.factor_rho_[f] += rho[piece.forest];
    }
    for (Index e = 0; e < piece_entries_; ++e) {
      all_.weights_[piece_entries_ + state_of(e)] -= all_.weights_[e];
    }
    for (Index e = piece_entries_; e < entries_; ++e) {
      if (all_.weights_[e] < kNever) all_.weights_[e] = 0;  // rounding
    }
  }

  // θ = s + offset − the weighted mean of the state's offsets, and own scores s_p / ρ(f).
  void score(std::span<const double> x) {
    std::ranges::fill(all_.means_, 0.0);
    for (Index e = 0; e < entries_; ++e) {
      all_.offsets_[e] = all_.first_weights_[e] == 0 ? 0 : x[e] / std::sqrt(all_.first_weights_[e]);
      all_.means_[state_of(e)] += all_.weights_[e] * all_.offsets_[e];
    }
    for (Index e = 0; e < entries_; ++e) {
      const Index state = state_of(e);
      all_.theta_[e] = s_[state] + (all_.offsets_[e] - all_.means_[state]);
    }
    for (Index f = 0; f < layout_.num_factors(); ++f) {
      const FactorGraphLayout::Factor& factor = layout_.factor(f);
      for (Index p = factor.parts_begin; p < factor.parts_end; ++p) {
        all_.part_scores_[p] = s_[p] / all_.factor_rho_[f];
      }
    }
  }

  // B; the marginals of all entries, and averages. Leaves in rho_gradient_ what A_k and Σ A_v add.
  double sum_forests() {
    double value = 0;
    possible_ = true;
    std::ranges::fill(all_.average_, 0.0);
    std::ranges::fill(all_.rho_gradient_, 0.0);
    for (Index v = 0; v < layout_.num_variables(); ++v) value += sum_alone(v);
    for (const ForestCover::Piece& piece : cover_.pieces()) value += sum_piece(piece);
    for (Index e = 0; e < entries_; ++e) {
      all_.average_[state_of(e)] += all_.weights_[e] * all_.chances_[e];
    }
    return value;
  }

  double sum_alone(Index v) {
    const std::span<const double> theta = of_variable(all_.theta_, v);
    const std::span<double> chances = of_variable(all_.chances_, v);
    const double weight = all_.weights_[piece_entries_ + layout_.state(v, 0)];
    double value = 0;
    if (layout_.is_switch(v)) {
      value = softplus(theta[0]);
      chances[0] = chance_of(theta[0]);
    } else {
      value = softmax(theta, chances);
    }
    alone_values_.resize(layout_.num_variables());
    alone_values_[v] = value;
    return weight * value;
  }

  double sum_piece(const ForestCover::Piece& piece) {
    const double value = all_.forests_.sum(piece, of_piece(all_.theta_, piece), all_.part_scores_,
                                           of_piece(all_.chances_, piece), all_.part_chances_);
    if (value == -kInfinity) {
      possible_ = false;
      std::ranges::fill(of_piece(all_.chances_, piece), 0.0);
      return 0;
    }
    const double rho = all_.rho_[piece.forest];
    all_.rho_gradient_[piece.forest] += value;
    for (const std::uint32_t f : cover_.factors(piece)) {
      const FactorGraphLayout::Factor& factor = layout_.factor(f);
      for (Index p = factor.parts_begin; p < factor.parts_end; ++p) {
        all_.average_[p] += rho / all_.factor_rho_[f] * all_.part_chances_[p];
      }
    }
    return rho * value;
  }

  void differentiate(std::span<double> gradient) {
    next_residual_ = 0;
    for (Index e = 0; e < entries_; ++e) {
      const double first = all_.first_weights_[e];
      if (first == 0) {
        gradient[e] = 0;
        continue;
      }
      const double apart = all_.chances_[e] - all_.average_[state_of(e)];
      next_residual_ = std::max(next_residual_, std::abs(apart));
      gradient[e] = all_.weights_[e] * apart / std::sqrt(first);
    }
    differentiate_weights(gradient.subspan(entries_));
  }

  // ∂B/∂ρ_k = A_k − Σ_i μ_i offset_ki − Σ_{f in k} s_f·μ_f / ρ(f), where A_k and offsets are of its
  // pieces and of variables that stand alone in it.
  void differentiate_weights(std::span<double> gradient) {
    std::vector<double>& slope = all_.rho_gradient_;
    std::vector<double>& alone = alone_values_;
    double all_alone = 0;
    for (Index v = 0; v < layout_.num_variables(); ++v) {
      for (Index k = 0; k < layout_.arity(v); ++k) {
        const Index state = layout_.state(v, k);
        alone[v] -= all_.average_[state] * all_.offsets_[piece_entries_ + state];
      }
      all_alone += alone[v];
    }
    for (double& g : slope) g += all_alone;
    for (const ForestCover::Piece& piece : cover_.pieces()) {
      double& g = slope[piece.forest];
      Index e = piece.states_begin;
      for (const std::uint32_t v : cover_.variables(piece)) {
        g -= alone[v];
        for (Index k = 0; k < layout_.arity(v); ++k, ++e) {
          g -= all_.average_[layout_.state(v, k)] * all_.offsets_[e];
        }
      }
      for (const std::uint32_t f : cover_.factors(piece)) {
        const FactorGraphLayout::Factor& factor = layout_.factor(f);
        double own = 0;
        for (Index p = factor.parts_begin; p < factor.parts_end; ++p) {
          own += s_[p] * all_.average_[p];
        }
        g -= own / all_.factor_rho_[f];
      }
    }
    // ρ_k = equal share + (1 − equal share) softmax_k
    double mean = 0;
    const double equal = kEqualShare / static_cast<double>(slope.size());
    for (Index k = 0; k < slope.size(); ++k) mean += (all_.rho_[k] - equal) * slope[k];
    mean /= 1 - kEqualShare;
    for (Index k = 0; k < slope.size(); ++k) {
      gradient[k] = (all_.rho_[k] - equal) * (slope[k] - mean);
    }
  }

  static constexpr double kNever = 1e-12;

  const ForestCover& cover_;
  const FactorGraphLayout& layout_;
  std::span<const double> s_;
  double tolerance_;
  ReweightedSums& all_;
  Index piece_entries_ = 0, entries_ = 0;
  bool possible_ = true;
  double value_ = 0;
  double least_ = 0;  // below all that a legal assignment may score
  double residual_ = 0, next_residual_ = 0;
  std::vector<double> alone_values_;
};

double ReweightedSums::minimize(const ForestCover& cover, std::span<const double> s,
                                const ReweightedOptions& options) {
  assert(s.size() == cover.layout().num_parts());
  forests_.reset(cover);
  Bound bound(cover, s, options.tolerance, *this);
  x_.assign(bound.size(), 0.0);
  SmoothMinimumOptions minimum;
  minimum.max_evaluations = options.max_evaluations;
  minimum.first_step = 2;
  double value = minimizer_.minimize(bound, minimum, x_);
  if (!bound.possible()) value = -kInfinity;
  convergence_ = {bound.possible() && bound.residual() <= options.tolerance,
                  minimizer_.evaluations(), bound.residual()};
  return value;
}

double ReweightedSums::log_sum(const ForestCover& cover, std::span<const double> s,
                               const ReweightedOptions& options, std::span<double> marginals) {
  const double value = minimize(cover, s, options);
  if (value == -kInfinity) {
    std::ranges::fill(marginals, 0.0);
  } else {
    std::ranges::copy(best_average_, marginals.begin());
  }
  return value;
}

double ReweightedSums::entropy(const ForestCover& cover, std::span<const double> s,
                               const ReweightedOptions& options) {
  if (minimize(cover, s, options) == -kInfinity) return 0;
  Bound bound(cover, s, options.tolerance, *this);
  std::vector<double> gradient(bound.size());
  bound.evaluate(x_, gradient);
  return bound.entropy();
}

}  // namespace trellis
