// The hinge with slacks that are rescaled by the cost (Tsochantaridis et al. 2004, SVM△s): a
// mistake must be as far behind as any other, and what is lacking counts as much as the mistake
// costs.
//
//   L_i(w) = max_y  cost(y, y_i) (γ + w·F_i(z(y) − z(y_i)))
//
// γ, 1 in the paper, is the margin that is asked for; in hinge_problem.h that is γ cost(y, y_i),
// and the slack counts once. By the maximiser ŷ the cut is (γ cost(ŷ), cost(ŷ) F_i(z(ŷ) − z(y_i))):
// one of finitely many pieces.
//
// A product of two sums over parts has no maximum part by part. Exactly, but for rounding (costs to
// their unit included), it is found
//
//   RescaledMaximizer  by the model, for costs of its own: measures of sets
//   ProductMaximizer   by the structure, which has few outputs: one label of many
//   LevelMaximizer     for costs that are whole multiples ℓ of a unit (cost_unit.h): the best
//                      output of each total ℓ, and then the best ℓ. Costs lie on the parts that
//                      have levels (node parts of a chain, values of variables), and y_i has none.
//                      Time: that of maximize times the largest total cost in units, for junction
//                      trees times its square.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/cost_unit.h"
#include "trellis/problem/loss.h"
#include "trellis/problem/model_losses.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

template <class M>
concept SlackModel = RescaledMaximizer<M> ||
    (PartModel<M> && !CostMaximizer<M> &&
     (ProductMaximizer<typename M::Structure> || LevelMaximizer<typename M::Structure>));

// p_i as the memory's parts.
template <PartModel M>
std::span<const double> fill_costs(const M& model, Index i, Index num_parts,
                                   ProblemScratch<M>& memory) {
  memory.resize(num_parts);
  const std::span<double> costs = std::span(memory.parts).first(num_parts);
  std::fill(costs.begin(), costs.end(), 0.0);
  model.add_costs(i, 1, costs);
  return costs;
}

// Finds ŷ, which it leaves in memory.output.
template <SlackModel M>
class RescaledSearch {
 public:
  using Structure = typename M::Structure;
  struct Memory {
    std::vector<std::uint32_t> levels;
  };

  // Throws UsageError where levels are needed, and costs have no unit or lie on other parts.
  RescaledSearch(const M& model, ChosenExamples chosen) : model_(&model) {
    if constexpr (kByLevels) find_unit(chosen);
  }

  // The value has the weight of the example in it. Throws UsageError where costs have too many
  // levels.
  RescaledMaximum find(Index i, const Structure& structure, double gamma, std::span<const double> s,
                       ProblemScratch<M>& memory, Memory& own) const {
    if constexpr (RescaledMaximizer<M>) {
      RescaledMaximum worst =
          model_->maximize_rescaled(i, gamma, s, memory.structure, memory.features, memory.output);
      worst.value *= model_->example_weight(i);
      return worst;
    } else if constexpr (kByLevels) {
      return best_level(i, structure, gamma, s, memory, own);
    } else {
      return best_product(i, structure, gamma, s, memory);
    }
  }

 private:
  static constexpr bool kByLevels = !RescaledMaximizer<M> && !ProductMaximizer<Structure>;
  static constexpr std::uint64_t kMostLevels = 65535;

  void find_unit(ChosenExamples chosen) {
    ProblemScratch<M> memory;
    CommonUnit unit;
    for (Index i = 0; i < chosen.count(model_->num_examples()); ++i) {
      const auto structure = model_->structure(chosen[i]);
      const Index num_parts = structure.num_parts();
      const std::span<const double> p = fill_costs(*model_, chosen[i], num_parts, memory);
      for (Index k = 0; k < p.size(); ++k) {
        if (p[k] == 0) continue;
        if (k >= structure.num_level_parts() || p[k] < 0) {
          throw UsageError(
              "a rescaled slack requires non-negative costs of single labels, not of pairs");
        }
        unit.add(p[k]);
      }
    }
    if (!unit.exists()) {
      throw UsageError(
          "a rescaled slack requires costs that are integer multiples of a common unit");
    }
    unit_ = unit.value();
  }

  // The costs of the parts in units. Returns one more than the largest total there may be.
  Index fill_levels(Index i, const Structure& structure, ProblemScratch<M>& memory,
                    Memory& own) const {
    const std::span<const double> p = fill_costs(*model_, i, structure.num_parts(), memory);
    own.levels.resize(structure.num_level_parts());
    for (Index k = 0; k < own.levels.size(); ++k) {
      own.levels[k] = static_cast<std::uint32_t>(std::lround(p[k] / unit_));
    }
    const std::uint64_t total = structure.highest_level(own.levels);
    if (total > kMostLevels)
      throw UsageError("a rescaled slack supports costs of up to 65535 units");
    return total + 1;
  }

  RescaledMaximum best_product(Index i, const Structure& structure, double gamma,
                               std::span<const double> s, ProblemScratch<M>& memory) const {
    const std::span<const double> p = fill_costs(*model_, i, structure.num_parts(), memory);
    const double own = structure.score(p, model_->gold(i));
    const double value = structure.maximize_product(gamma - structure.score(s, model_->gold(i)), s,
                                                    -own, p, memory.structure, memory.output);
    if (!(value > 0)) return {};
    return {model_->example_weight(i) * value, structure.score(p, memory.output) - own};
  }

  RescaledMaximum best_level(Index i, const Structure& structure, double gamma,
                             std::span<const double> s, ProblemScratch<M>& memory,
                             Memory& own) const {
    const Index num_levels = fill_levels(i, structure, memory, own);
    structure.maximize_levels(s, own.levels, num_levels, memory.structure, memory.best);
    const double gold = structure.score(s, model_->gold(i));
    RescaledMaximum worst;
    Index found = 0;
    for (Index level = 1; level < num_levels; ++level) {
      if (memory.best[level].score == kImpossible) continue;
      const double cost = unit_ * static_cast<double>(level);
      const double value =
          model_->example_weight(i) * cost * (gamma + memory.best[level].score - gold);
      if (!(value > worst.value)) continue;
      worst = {value, cost};
      found = level;
    }
    if (found > 0) std::swap(memory.output, memory.best[found].output);
    return worst;
  }

  const M* model_;
  double unit_ = 1;
};

template <PartScorer M, class Search>
struct SlackScratch final : public ProblemScratch<M> {
  typename Search::Memory search;
};

// Implements OracleType by what Search finds.
template <PartScorer M, class Search, class OracleType>
class SlackLosses : public ModelLosses<M, OracleType> {
 public:
  // The model and the chosen examples must outlive the problem. Throws UsageError for costs that
  // the search cannot do with.
  explicit SlackLosses(const M& model, double gamma = 1, ChosenExamples chosen = {})
      : ModelLosses<M, OracleType>(model, chosen), gamma_(gamma), search_(model, chosen) {
    Loss{Loss::kInfinity, gamma}.validate();
  }

  std::unique_ptr<Scratch> make_scratch() const final { return std::make_unique<Memory>(); }

 protected:
  using Memory = SlackScratch<M, Search>;
  using Structure = typename M::Structure;

  // Examples have their numbers in the model here.
  auto find(Index k, const Structure& structure, std::span<const double> w, Memory& memory) const {
    memory.resize(structure.num_parts());
    const std::span<double> s = std::span(memory.scores).first(structure.num_parts());
    this->model_->scores(k, w, s);
    return search_.find(k, structure, gamma_, s, memory, memory.search);
  }

  // z(ŷ) − z(y_i); 0 where nothing lacks
  std::span<const double> difference(Index k, const Structure& structure, double cost,
                                     Memory& memory) const {
    const std::span<double> z = std::span(memory.parts).first(structure.num_parts());
    if (cost == 0) {
      std::fill(z.begin(), z.end(), 0.0);
      return z;
    }
    const std::span<double> truth = std::span(memory.truth).first(structure.num_parts());
    structure.indicator(memory.output, z);
    structure.indicator(this->model_->gold(k), truth);
    subtract(z, truth);
    return z;
  }

 private:
  typename ModelLosses<M, OracleType>::Piece piece(Index i, std::span<const double> w,
                                                   ProblemScratch<M>& scratch) const final {
    auto& memory = static_cast<Memory&>(scratch);
    const Index k = this->chosen_[i];
    const auto structure = this->model_->structure(k);
    const auto worst = find(k, structure, w, memory);
    const double scale = this->model_->example_weight(k) * worst.cost;
    std::optional<double> offset;
    // Scores with a share that no weight moves have it in the offset.
    if constexpr (!OffsetScorer<M>) offset = gamma_ * scale;
    return {worst.value, difference(k, structure, worst.cost, memory), scale, offset};
  }

  double gamma_;
  Search search_;
};

template <SlackModel M>
class SlackProblem final : public SlackLosses<M, RescaledSearch<M>, HingeOracle> {
 public:
  using SlackLosses<M, RescaledSearch<M>, HingeOracle>::SlackLosses;
};

}  // namespace trellis
