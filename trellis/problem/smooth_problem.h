// The smooth part of the loss family, β < ∞ (Martins et al. 2010, Eqs. 3, 8 and 9):
//
//   L_i(w) = (1/β) log Σ_y exp β((s + γ p_i)·(z(y) − z(y_i))),     s = F_iᵀ w
//   ∇L_i(w) = F_i (μ − z(y_i)),     μ = the marginals at scores β(s + γ p_i)
//
// Convex, with exact gradient, for every β in (0, ∞) and γ ≥ 0. Needs a structure that sums.
//
// The oracle promises what the sums are worth (structure/standing.h), so that none of less than
// exact sums yields a certificate:
//
//   exact        SmoothConvexOracle
//   upper bound  UpperBoundOracle: L_i is never below the loss of exact sums
//   others       ApproximateOracle: L_i may be negative
//
// The rounding of an exact sum is kept from making a loss negative. Bounds and estimates are handed
// on as they are, and convergence() reports how their sums ended.
#pragma once

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/model_losses.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"
#include "trellis/structure/standing.h"

namespace trellis {

template <Standing standing>
struct OracleOfSums {
  using Type = ApproximateOracle;
};
template <>
struct OracleOfSums<Standing::kExact> {
  using Type = SmoothConvexOracle;
};
template <>
struct OracleOfSums<Standing::kUpperBound> {
  using Type = UpperBoundOracle;
};
template <PartModel M>
using SmoothProblemOracle = typename OracleOfSums<standing_of_sums<typename M::Structure>()>::Type;

template <PartModel M>
inline constexpr bool kExactSums = standing_of_sums<typename M::Structure>() == Standing::kExact;

// What oracles of sums that are not exact have in addition.
template <PartModel M, bool exact>
class SumLosses : public ModelLosses<M, SmoothProblemOracle<M>> {
 protected:
  using ModelLosses<M, SmoothProblemOracle<M>>::ModelLosses;
};
template <PartModel M>
class SumLosses<M, false> : public ModelLosses<M, SmoothProblemOracle<M>> {
 public:
  Convergence convergence(const Scratch& scratch) const final {
    return M::Structure::convergence(static_cast<const ProblemScratch<M>&>(scratch).structure);
  }

 protected:
  using ModelLosses<M, SmoothProblemOracle<M>>::ModelLosses;
};

template <PartModel M>
requires Summer<typename M::Structure> &&
    (kExactSums<M> || IterativeSummer<typename M::Structure>)class SmoothProblem final
    : public SumLosses<M, kExactSums<M>> {
 public:
  // The model and the chosen examples must outlive the problem; β must be finite.
  explicit SmoothProblem(const M& model, double beta = 1, double gamma = 0,
                         ChosenExamples chosen = {})
      : Losses(model, chosen), beta_(beta), gamma_(gamma) {
    require_smooth({beta, gamma});
  }

 private:
  using Losses = SumLosses<M, kExactSums<M>>;
  using Losses::model_;

  // Its parts are μ − z(y_i). Throws UsageError where the sums find nothing legal.
  typename Losses::Piece piece(Index i, std::span<const double> w,
                               ProblemScratch<M>& memory) const override {
    const Index k = this->chosen_[i];
    const auto structure = model_->structure(k);
    const Index num_parts = structure.num_parts();
    memory.resize(num_parts);
    const std::span<double> s = std::span(memory.scores).first(num_parts);
    const std::span<double> marginals = std::span(memory.parts).first(num_parts);
    const std::span<double> truth = std::span(memory.truth).first(num_parts);
    model_->scores(k, w, s);
    if (gamma_ > 0) model_->add_costs(k, gamma_, s);
    const double gold = structure.score(s, model_->gold(k));
    if (beta_ != 1) {
      for (double& score : s) score *= beta_;
    }
    const double log_sum = structure.log_partition(s, memory.structure, marginals);
    structure.indicator(model_->gold(k), truth);
    subtract(marginals, truth);
    if (log_sum == kImpossible && std::isfinite(gold)) {
      throw UsageError(fmt::format(
          "example {} (counted from 0) has no legal output: even its true output is illegal", i));
    }
    const double loss = log_sum / beta_ - gold;
    const bool rounded = kExactSums<M> && loss < 0;
    const double weight = model_->example_weight(k);
    return {weight * (rounded ? 0 : loss), marginals, weight};
  }

  double beta_;
  double gamma_;
};

}  // namespace trellis
