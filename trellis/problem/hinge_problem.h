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
#include <memory>
#include <span>
#include <vector>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/loss.h"
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

// The steps that all problems share: score, augment, and turn an output into a cut.
template <class M>
requires HingeModel<M> || SearchModel<M>
class HingeCuts {
 public:
  using Structure = typename M::Structure;
  using Output = typename Structure::Output;

  HingeCuts(const M& model, double gamma) : model_(&model), gamma_(gamma) {
    Loss{Loss::kInfinity, gamma}.validate();
  }

  const M& model() const { return *model_; }

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

  // `value` is what the cut of `output` says at w.
  void write_cut(Index i, const Structure& structure, const Output& output, double value,
                 std::span<const double> w, ProblemScratch<M>& memory, Cut& cut) const {
    const std::span<const double> z = difference(i, structure, output, memory);
    model_->features(i, z, model_->example_weight(i), memory.features, cut.slope);
    cut.offset = value - cut.slope.dot(w);
  }

  double evaluate(Index i, std::span<const double> w, ProblemScratch<M>& memory, Cut& cut) const {
    const auto structure = model_->structure(i);
    const double value = augmented_maximum(i, structure, w, memory);
    write_cut(i, structure, memory.output, value, w, memory, cut);
    return value;
  }

  double accumulate(Index i, std::span<const double> w, ProblemScratch<M>& memory,
                    std::span<double> gradient) const {
    const auto structure = model_->structure(i);
    const double value = augmented_maximum(i, structure, w, memory);
    model_->add_features(i, difference(i, structure, memory.output, memory),
                         model_->example_weight(i), gradient);
    return value;
  }

  LossBounds accumulate_bounds(Index i, std::span<const double> w, ProblemScratch<M>& memory,
                               std::span<double> gradient) const requires SearchModel<M> {
    const auto structure = model_->structure(i);
    const LossBounds loss = search<true>(i, structure, w, memory);
    model_->add_features(i, difference(i, structure, memory.output, memory),
                         model_->example_weight(i), gradient);
    return loss;
  }

 private:
  const M* model_;
  double gamma_;
};

// Implements OracleType (HingeOracle, KBestOracle or SearchOracle) by HingeCuts.
template <class M, class OracleType>
class HingeFacade : public OracleType {
 public:
  // The model must outlive the problem.
  explicit HingeFacade(const M& model, double gamma = 1) : cuts_(model, gamma) {}

  Index num_examples() const override { return cuts_.model().num_examples(); }
  Index dimension() const override { return cuts_.model().dimension(); }
  std::span<const WeightRange> nonnegative() const override {
    return nonnegative_weights(cuts_.model());
  }
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<ProblemScratch<M>>();
  }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    return cuts_.evaluate(i, w, static_cast<ProblemScratch<M>&>(scratch), cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    return cuts_.accumulate(i, w, static_cast<ProblemScratch<M>&>(scratch), gradient);
  }

 protected:
  HingeCuts<M> cuts_;
};

template <HingeModel M>
class HingeProblem final : public HingeFacade<M, HingeOracle> {
 public:
  explicit HingeProblem(const M& model, double gamma = 1)
      : HingeFacade<M, HingeOracle>(model, gamma) {}
};

template <SearchModel M>
class SearchProblem final : public HingeFacade<M, SearchOracle> {
 public:
  explicit SearchProblem(const M& model, double gamma = 1)
      : HingeFacade<M, SearchOracle>(model, gamma) {}

  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const override {
    return this->cuts_.accumulate_bounds(i, w, static_cast<ProblemScratch<M>&>(scratch), gradient);
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
class KBestProblem final : public HingeFacade<M, KBestOracle> {
 public:
  explicit KBestProblem(const M& model, double gamma = 1)
      : HingeFacade<M, KBestOracle>(model, gamma) {}

  double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    const M& model = this->cuts_.model();
    const auto structure = model.structure(i);
    const std::span<const double> s = this->cuts_.augmented_scores(i, structure, w, memory);
    structure.k_best(s, k, memory.structure, memory.best);
    const double gold = structure.score(s, model.gold(i));
    cuts.resize(memory.best.size());
    for (Index j = 0; j < cuts.size(); ++j) {
      const double value = model.example_weight(i) * (memory.best[j].score - gold);
      this->cuts_.write_cut(i, structure, memory.best[j].output, value, w, memory, cuts[j]);
    }
    return std::max(0.0, model.example_weight(i) * (memory.best.front().score - gold));
  }
};

}  // namespace trellis
