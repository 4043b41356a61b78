#include "trellis/solve/factors/reweighted_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

// The share of the total weight that is equal for all forests, so that no weight is 0.
constexpr double kEqualShare = 0.02;
constexpr Index kStartRounds = 6;

// In proportion to the pairs of links that factors connect: a TREE has nearly all pairs.
void write_first_weights(const ForestCover& cover, std::vector<double>& rho) {
  rho.assign(cover.num_forests(), 1.0);
  for (const ForestCover::Piece& piece : cover.pieces()) {
    for (const std::uint32_t number : cover.factors(piece)) {
      const FactorGraphLayout::Factor& f = cover.layout().factor(number);
      const double tied = static_cast<double>(f.links_end - f.links_begin) - 1;
      rho[piece.forest] += tied * tied;
    }
  }
  scale(1 / sum(rho), rho);
  const double equal = kEqualShare / static_cast<double>(rho.size());
  for (double& r : rho) r = equal + (1 - kEqualShare) * r;
}

double sum_of_magnitudes(std::span<const double> s) {
  double total = 0;
  for (const double score : s) total += std::abs(score);
  return total;
}

}  // namespace

// B as a function of x: offsets by entry, times the root of the entry's first weight, which makes
// second derivatives similar; then logarithms of weights, relative to the first weights:
//
//   θ_e = s_i + offset_e − Σ c_e offset_e,   ρ = equal share + (1 − equal share) softmax
class ReweightedSums::Bound final : public SmoothFunction {
 public:
  Bound(const ForestCover& cover, std::span<const double> s, const ReweightedOptions& options,
        ReweightedSums& all)
      : tolerance_(options.tolerance),
        all_(all),
        mixture_(all.mixture_),
        first_rho_(all.first_rho_),
        rho_(all.rho_),
        roots_(all.roots_),
        offsets_(all.offsets_),
        least_(-1 - 1.001 * sum_of_magnitudes(s)) {
    write_first_weights(cover, first_rho_);
    rho_ = first_rho_;
    mixture_.reset(cover, s);
    mixture_.set_weights(first_rho_);
    roots_.assign(mixture_.weights().begin(), mixture_.weights().end());
    for (double& weight : roots_) weight = std::sqrt(weight);
    offsets_.assign(mixture_.num_entries(), 0.0);
    all_.average_.assign(s.size(), 0.0);
  }

  Index size() const { return mixture_.num_entries() + rho_.size(); }
  bool possible() const { return possible_; }
  double residual() const { return residual_; }

  // Writes a start to x, with a maximum of `evaluations`; returns how many it used.
  Index start(Index evaluations, std::span<double> x) {
    std::ranges::fill(x, 0.0);
    if (evaluations < 3) return 0;
    set_point(x);
    double value = mixture_.sum();
    if (value == -kInfinity || mixture_.residual() <= tolerance_) return 1;
    const Index rounds = std::min(kStartRounds, evaluations - 2);
    all_.start_.improve(rounds, mixture_, value);
    for (Index e = 0; e < mixture_.num_entries(); ++e) {
      x[e] = roots_[e] * (mixture_.theta()[e] - mixture_.scores()[mixture_.state_of(e)]);
    }
    return 1 + rounds;
  }

  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    set_point(x);
    value_ = mixture_.sum();
    possible_ = value_ > -kInfinity;
    if (!possible_) return kInfinity;
    for (Index e = 0; e < mixture_.num_entries(); ++e) {
      const double apart = mixture_.chances()[e] - mixture_.average()[mixture_.state_of(e)];
      gradient[e] = roots_[e] == 0 ? 0 : mixture_.weights()[e] * apart / roots_[e];
    }
    differentiate_weights(gradient.subspan(mixture_.num_entries()));
    return value_;
  }

  bool accept() override {
    // log Z is at least the score of any assignment.
    possible_ = possible_ && value_ >= least_;
    if (!possible_) return true;
    std::ranges::copy(mixture_.average(), all_.average_.begin());
    residual_ = std::max(mixture_.residual(), weight_residual_);
    return residual_ <= tolerance_;
  }

  double entropy_at(std::span<const double> x) {
    set_point(x);
    return mixture_.entropy();
  }

 private:
  void set_point(std::span<const double> x) {
    const std::span<const double> logarithms = x.subspan(mixture_.num_entries());
    const double equal = kEqualShare / static_cast<double>(rho_.size());
    for (Index k = 0; k < rho_.size(); ++k) {
      rho_[k] = logarithms[k] + portable_log(first_rho_[k] - equal);
    }
    softmax(rho_, rho_);
    for (double& r : rho_) r = equal + (1 - kEqualShare) * r;
    mixture_.set_weights(rho_);
    const std::span<double> theta = mixture_.theta();
    std::vector<double>& means = all_.means_;
    means.assign(mixture_.cover().layout().num_states(), 0.0);
    for (Index e = 0; e < theta.size(); ++e) {
      if (roots_[e] > 0) offsets_[e] = x[e] / roots_[e];
      means[mixture_.state_of(e)] += mixture_.weights()[e] * offsets_[e];
    }
    for (Index e = 0; e < theta.size(); ++e) {
      const Index state = mixture_.state_of(e);
      theta[e] = mixture_.scores()[state] + (offsets_[e] - means[state]);
    }
  }

  void differentiate_weights(std::span<double> gradient) {
    mixture_.differentiate_weights(offsets_, gradient);
    const double equal = kEqualShare / static_cast<double>(rho_.size());
    double mean = 0;
    for (Index k = 0; k < rho_.size(); ++k) mean += (rho_[k] - equal) * gradient[k];
    mean /= 1 - kEqualShare;
    weight_residual_ = 0;
    for (Index k = 0; k < rho_.size(); ++k) {
      gradient[k] = (rho_[k] - equal) * (gradient[k] - mean);
      weight_residual_ = std::max(weight_residual_, std::abs(gradient[k]));
    }
  }

  double tolerance_;
  ReweightedSums& all_;
  ForestMixture& mixture_;
  std::vector<double>& first_rho_;
  std::vector<double>& rho_;
  std::vector<double>& roots_;  // by entry: of the first weights
  std::vector<double>& offsets_;
  double least_;  // below all that a legal assignment may score
  bool possible_ = true;
  double value_ = 0;
  double residual_ = 0, weight_residual_ = 0;
};

double ReweightedSums::minimize(Bound& bound, const ReweightedOptions& options) {
  x_.resize(bound.size());
  const Index spent = bound.start(options.max_evaluations, x_);
  SmoothMinimumOptions minimum;
  minimum.max_evaluations = options.max_evaluations - spent;
  minimum.first_step = 2;
  const double value = minimizer_.minimize(bound, minimum, x_);
  convergence_ = {bound.possible() && bound.residual() <= options.tolerance,
                  spent + minimizer_.evaluations(), bound.residual()};
  return bound.possible() ? value : -kInfinity;
}

double ReweightedSums::log_sum(const ForestCover& cover, std::span<const double> s,
                               const ReweightedOptions& options, std::span<double> marginals) {
  assert(marginals.size() == s.size() && options.max_evaluations > 0);
  Bound bound(cover, s, options, *this);
  const double value = minimize(bound, options);
  if (value == -kInfinity) {
    std::ranges::fill(marginals, 0.0);
  } else {
    std::ranges::copy(average_, marginals.begin());
  }
  return value;
}

double ReweightedSums::entropy(const ForestCover& cover, std::span<const double> s,
                               const ReweightedOptions& options) {
  Bound bound(cover, s, options, *this);
  if (minimize(bound, options) == -kInfinity) return 0;
  return bound.entropy_at(x_);
}

}  // namespace trellis
