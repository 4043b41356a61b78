// The smooth losses of smooth_problem.h where the structure can draw but not sum (Petterson 2011,
// eq. 5.11): of K draws y_1 … y_K at scores β(s + γ p_i), s = F_iᵀ w,
//
//   ∇L_i(w) ≈ F_i (z̄ − z(y_i)),     z̄ = (1/K) Σ_k z(y_k)
//   L_i(w) ≈ (1/β) log Ẑ − (s + γ p_i)·z(y_i) .
//
// The slope has no bias; its variance is E‖F_i (z(y) − E z)‖² / K. log Ẑ comes from how many
// attempts the draws took (structure/monte_carlo.h); for matchings its bias is O(K⁻²). An estimated
// loss can be below 0, and is not cut off there, which would be a bias.
//
// The random numbers are keyed by the seed, the example, and the bits of its scores: an estimate is
// a function of i and w, whichever thread asks, and however often, and a run that is resumed goes
// on as if it had not been interrupted. At other weights the draws are others, so the errors of a
// learner's steps average out. Only sgd takes it, without a certificate: it says of itself that it
// is an estimate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/model_losses.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"
#include "trellis/structure/monte_carlo.h"

namespace trellis {

struct MonteCarloOptions {
  Index draws = 32;  // K
  std::uint64_t seed = 0;
  double beta = 1;
  double gamma = 0;
};

// How good an estimate is.
struct MonteCarloAccuracy {
  double loss = 0;               // the estimate of L_i(w)
  double loss_error = 0;         // its standard error
  double gradient_norm = 0;      // of the estimate ĝ
  double gradient_variance = 0;  // an estimate of E‖ĝ − ∇L_i(w)‖²
  std::uint64_t attempts = 0;    // that the K draws took
};

template <PartModel M>
requires SumEstimator<typename M::Structure>
class MonteCarloProblem final : public ModelLosses<M, StochasticOracle> {
 public:
  // The model and the chosen examples must outlive the problem; β must be finite. Throws UsageError
  // for no draws.
  explicit MonteCarloProblem(const M& model, const MonteCarloOptions& options = {},
                             ChosenExamples chosen = {})
      : Losses(model, chosen), options_(options) {
    require_smooth({options.beta, options.gamma});
    if (options.draws == 0) throw UsageError("a Monte-Carlo gradient takes at least one draw");
  }

  // Of what evaluate() says about example i at w; needs two draws or more, else a UsageError.
  MonteCarloAccuracy accuracy(Index i, std::span<const double> w, Scratch& scratch) const {
    if (options_.draws < 2) throw UsageError("a variance takes at least two draws");
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    const Estimate estimate = draw_parts(i, w, memory);
    MonteCarloAccuracy accuracy;
    accuracy.loss = estimate.loss;
    accuracy.loss_error = estimate.loss_error;
    accuracy.attempts = estimate.attempts;
    SparseVector slope;
    const Index k = this->chosen_[i];
    model_->features(k, estimate.residual, model_->example_weight(k), memory.features, slope);
    accuracy.gradient_norm = std::sqrt(slope.squared_norm());
    accuracy.gradient_variance = gradient_variance(k, memory, slope);
    return accuracy;
  }

 private:
  using Losses = ModelLosses<M, StochasticOracle>;
  using Losses::model_;

  struct Estimate {
    double loss, loss_error;
    std::uint64_t attempts;
    std::span<const double> residual;  // z̄ − z(y_i)
  };

  Random random(Index i, std::span<const double> s) const {
    const std::string_view bytes(reinterpret_cast<const char*>(s.data()), s.size_bytes());
    return Random(options_.seed, i, fingerprint(bytes));
  }

  Estimate draw_parts(Index i, std::span<const double> w, ProblemScratch<M>& memory) const {
    const Index k = this->chosen_[i];
    const auto structure = model_->structure(k);
    const Index num_parts = structure.num_parts();
    memory.resize(num_parts);
    const std::span<double> s = std::span(memory.scores).first(num_parts);
    const std::span<double> mean = std::span(memory.parts).first(num_parts);
    const std::span<double> truth = std::span(memory.truth).first(num_parts);
    model_->scores(k, w, s);
    if (options_.gamma > 0) model_->add_costs(k, options_.gamma, s);
    const double gold = structure.score(s, model_->gold(k));
    if (options_.beta != 1) {
      for (double& score : s) score *= options_.beta;
    }
    Random draws = random(i, s);
    const LogSumEstimate log_sum =
        structure.sample_and_estimate(s, options_.draws, draws, memory.structure, memory.draws);
    mean_parts(structure, std::span<const typename M::Structure::Output>(memory.draws), truth,
               mean);
    structure.indicator(model_->gold(k), truth);
    subtract(mean, truth);
    const double weight = model_->example_weight(k);
    return {weight * (log_sum.value / options_.beta - gold),
            weight * log_sum.standard_error / options_.beta, log_sum.attempts, mean};
  }

  typename Losses::Piece piece(Index i, std::span<const double> w,
                               ProblemScratch<M>& memory) const override {
    const Estimate estimate = draw_parts(i, w, memory);
    return {estimate.loss, estimate.residual, model_->example_weight(this->chosen_[i])};
  }

  // Σ_j ‖ĝ_j − ĝ‖² / K(K−1), where ĝ_j is the slope of draw j alone.
  double gradient_variance(Index k, ProblemScratch<M>& memory, const SparseVector& slope) const {
    const auto structure = model_->structure(k);
    const Index num_parts = structure.num_parts();
    const std::span<double> z = std::span(memory.parts).first(num_parts);
    const std::span<double> truth = std::span(memory.truth).first(num_parts);
    const double weight = model_->example_weight(k);
    std::vector<double> mean(model_->dimension(), 0.0), difference(mean.size());
    slope.add_to(mean, 1);
    double sum = 0;
    for (const auto& y : memory.draws) {
      structure.indicator(y, z);
      subtract(z, truth);
      std::fill(difference.begin(), difference.end(), 0.0);
      model_->add_features(k, z, weight, difference);
      for (Index d = 0; d < mean.size(); ++d) {
        sum += (difference[d] - mean[d]) * (difference[d] - mean[d]);
      }
    }
    const auto count = static_cast<double>(memory.draws.size());
    return sum / (count * (count - 1));
  }

  MonteCarloOptions options_;
};

}  // namespace trellis
