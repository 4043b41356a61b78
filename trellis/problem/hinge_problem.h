// The hinge end of the loss family, β = ∞ (Taskar et al. 2003; Tsochantaridis et al. 2004):
//
//   L_i(w) = max_y  w·F_i(z(y) − z(y_i)) + γ cost(y, y_i)
//
// By the cost-augmented maximiser ŷ the cut is (γ cost(ŷ, y_i), F_i(z(ŷ) − z(y_i))): one of
// finitely many affine pieces. γ = 0 is the perceptron's loss. HingeProblem needs a structure that
// maximizes, or a model with a maximiser for its own costs; KBestProblem needs linear costs and a
// structure that ranks as well.
//
// SearchProblem is for maximisers that may miss ŷ. What they find is an output, so its cut is one,
// but need not touch L_i; or it is y_i itself, whose cut is 0, where that is better than what was
// found. With the bound U of the search on all outputs' score and cost, L_i(w) ≤ U − w·F_i z(y_i).
//
// The maximum of a relaxation (RelaxedQuadraticMatching) is over a polytope Z' ⊇ Z. The loss that
// is minimised is then another one, max over Z', which is never below that of the outputs:
// objectives are upper bounds of the exact loss's too, while the bound on min P is that of the
// relaxed P alone.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/model_losses.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

// Best outputs are exact, by type.
template <class M>
concept HingeModel = CostMaximizer<M> ||
    (PartModel<M>&& ExactMaximizer<typename M::Structure> && !CostSearcher<M>);
// Best outputs may be missed, and are bounded.
template <class M>
concept SearchModel =
    !HingeModel<M> && (CostSearcher<M> || (PartModel<M> && Searcher<typename M::Structure>));

// The steps that all problems share: score, augment, and compare an output with the true one.
// Examples have their numbers in the model here.
template <class M>
requires HingeModel<M> || SearchModel<M>
class HingeCuts {
 public:
  using Structure = typename M::Structure;
  using Output = typename Structure::Output;

  HingeCuts(const M& model, double gamma) : model_(&model), gamma_(gamma) {
    Loss{Loss::kInfinity, gamma}.validate();
  }

  // s ← F_iᵀ w
  std::span<double> scores(Index i, const Structure& structure, std::span<const double> w,
                           ProblemScratch<M>& memory) const {
    memory.resize(structure.num_parts());
    const std::span<double> s = std::span(memory.scores).first(structure.num_parts());
    model_->scores(i, w, s);
    return s;
  }

  // s ← F_iᵀ w + γ p_i. The cost of y_i itself is 0, so its score is unchanged.
  std::span<const double> augmented_scores(Index i, const Structure& structure,
                                           std::span<const double> w,
                                           ProblemScratch<M>& memory) const requires PartModel<M> {
    const std::span<double> s = scores(i, structure, w, memory);
    if (gamma_ > 0) model_->add_costs(i, gamma_, s);
    return s;
  }

  // Returns L_i(w), or the value of the cut that was found, and leaves its output in memory.output.
  double augmented_maximum(Index i, const Structure& structure, std::span<const double> w,
                           ProblemScratch<M>& memory) const {
    double violation = 0;
    if constexpr (SearchModel<M>) {
      return search<false>(i, structure, w, memory).value;
    } else if constexpr (CostMaximizer<M>) {
      const std::span<const double> s = scores(i, structure, w, memory);
      violation = model_->maximize_augmented(i, gamma_, s, memory.structure, memory.features,
                                             memory.output) -
                  structure.score(s, model_->gold(i));
    } else {
      const std::span<const double> s = augmented_scores(i, structure, w, memory);
      violation = structure.maximize(s, memory.structure, memory.output) -
                  structure.score(s, model_->gold(i));
    }
    return model_->example_weight(i) * std::max(0.0, violation);
  }

  // The same with an upper bound, where that is asked for.
  template <bool bounded>
  LossBounds search(Index i, const Structure& structure, std::span<const double> w,
                    ProblemScratch<M>& memory) const requires SearchModel<M> {
    MaximumBounds found;
    double truth = 0;
    if constexpr (CostSearcher<M>) {
      const std::span<const double> s = scores(i, structure, w, memory);
      truth = structure.score(s, model_->gold(i));
      if constexpr (bounded) {
        found =
            model_->bound_augmented(i, gamma_, s, memory.structure, memory.features, memory.output);
      } else {
        found.value = model_->search_augmented(i, gamma_, s, memory.structure, memory.features,
                                               memory.output);
      }
    } else {
      const std::span<const double> s = augmented_scores(i, structure, w, memory);
      truth = structure.score(s, model_->gold(i));
      found = structure.search(s, memory.structure, memory.output);
    }
    // Nothing found violates: y_i has the better cut.
    if (!(found.value >= truth)) {
      memory.output = model_->gold(i);
      found.value = truth;
    }
    const double weight = model_->example_weight(i);
    const double value = weight * (found.value - truth);
    return {value, std::max(value, weight * (found.upper - truth))};
  }

  // z(output) − z(y_i)
  std::span<const double> difference(Index i, const Structure& structure, const Output& output,
                                     ProblemScratch<M>& memory) const {
    const std::span<double> z = std::span(memory.parts).first(structure.num_parts());
    const std::span<double> truth = std::span(memory.truth).first(structure.num_parts());
    structure.indicator(output, z);
    structure.indicator(model_->gold(i), truth);
    subtract(z, truth);
    return z;
  }

 private:
  const M* model_;
  double gamma_;
};

// Implements OracleType (HingeOracle, KBestOracle or SearchOracle) by HingeCuts.
template <class M, class OracleType>
class HingeLosses : public ModelLosses<M, OracleType> {
 protected:
  HingeLosses(const M& model, double gamma, ChosenExamples chosen)
      : ModelLosses<M, OracleType>(model, chosen), cuts_(model, gamma) {}

  HingeCuts<M> cuts_;

 private:
  typename ModelLosses<M, OracleType>::Piece piece(Index i, std::span<const double> w,
                                                   ProblemScratch<M>& memory) const final {
    const Index k = this->chosen_[i];
    const auto structure = this->model_->structure(k);
    const double value = cuts_.augmented_maximum(k, structure, w, memory);
    return {value, cuts_.difference(k, structure, memory.output, memory),
            this->model_->example_weight(k)};
  }
};

// The model must outlive the problem, here and below, and so must the chosen examples.
template <HingeModel M>
class HingeProblem final : public HingeLosses<M, HingeOracle> {
 public:
  explicit HingeProblem(const M& model, double gamma = 1, ChosenExamples chosen = {})
      : HingeLosses<M, HingeOracle>(model, gamma, chosen) {}
};

template <SearchModel M>
class SearchProblem final : public HingeLosses<M, SearchOracle> {
 public:
  explicit SearchProblem(const M& model, double gamma = 1, ChosenExamples chosen = {})
      : HingeLosses<M, SearchOracle>(model, gamma, chosen) {}

  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const override {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    const M& model = *this->model_;
    const Index k = this->chosen_[i];
    const auto structure = model.structure(k);
    const LossBounds loss = this->cuts_.template search<true>(k, structure, w, memory);
    model.add_features(k, this->cuts_.difference(k, structure, memory.output, memory),
                       model.example_weight(k), gradient);
    return loss;
  }
};

// The one of the two that the model's promise is for.
template <class M>
struct MarginProblemOf;
template <HingeModel M>
struct MarginProblemOf<M> {
  using Type = HingeProblem<M>;
};
template <SearchModel M>
struct MarginProblemOf<M> {
  using Type = SearchProblem<M>;
};
template <class M>
using MarginProblem = typename MarginProblemOf<M>::Type;

template <PartModel M>
requires KBest<typename M::Structure> && HingeModel<M>
class KBestProblem final : public HingeLosses<M, KBestOracle> {
 public:
  explicit KBestProblem(const M& model, double gamma = 1, ChosenExamples chosen = {})
      : HingeLosses<M, KBestOracle>(model, gamma, chosen) {}

  double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    const M& model = *this->model_;
    const Index number = this->chosen_[i];
    const auto structure = model.structure(number);
    const double weight = model.example_weight(number);
    const std::span<const double> s = this->cuts_.augmented_scores(number, structure, w, memory);
    structure.k_best(s, k, memory.structure, memory.best);
    const double gold = structure.score(s, model.gold(number));
    cuts.resize(memory.best.size());
    for (Index j = 0; j < cuts.size(); ++j) {
      const auto& [output, score] = memory.best[j];
      model.features(number, this->cuts_.difference(number, structure, output, memory), weight,
                     memory.features, cuts[j].slope);
      cuts[j].offset = weight * (score - gold) - cuts[j].slope.dot(w);
    }
    return std::max(0.0, weight * (memory.best.front().score - gold));
  }
};

}  // namespace trellis
