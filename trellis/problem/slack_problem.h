// The hinge with slacks that are rescaled by the cost (Tsochantaridis et al. 2004, SVM△s): a
// mistake must be as far behind as any other, and what is lacking counts as much as the mistake
// costs.
//
//   L_i(w) = max_y  cost(y, y_i) (1 + w·F_i(z(y) − z(y_i)))
//
// A product of two sums over parts has no maximum part by part. Costs that are whole multiples ℓ of
// a unit have: the best output of each total ℓ (LevelMaximizer), and then the best ℓ. By that ŷ the
// cut is (cost(ŷ), cost(ŷ) F_i(z(ŷ) − z(y_i))): exact, and one of finitely many pieces.
//
// Costs lie on the parts that have levels (node parts of a chain, values of variables). Time: that
// of maximize times the largest total cost in units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/oracle/oracle.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

template <class M>
concept SlackModel = PartModel<M> && LevelMaximizer<typename M::Structure>;

template <SlackModel M>
class SlackProblem final : public HingeOracle {
 public:
  // The model must outlive the problem; its costs are whole multiples of `unit`, or the first call
  // throws UsageError.
  explicit SlackProblem(const M& model, double unit = 1) : model_(&model), unit_(unit) {
    if (!(unit > 0) || !std::isfinite(unit)) throw UsageError("the unit of costs must be positive");
  }

  Index num_examples() const override { return model_->num_examples(); }
  Index dimension() const override { return model_->dimension(); }
  std::span<const WeightRange> nonnegative() const override { return nonnegative_weights(*model_); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Memory>(); }

  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    auto& memory = static_cast<Memory&>(scratch);
    const auto structure = model_->structure(i);
    const Worst worst = find_worst(i, structure, w, memory);
    model_->features(i, difference(i, structure, worst, memory), worst.weight,
                     memory.problem.features, cut.slope);
    cut.offset = worst.weight;
    return worst.value;
  }

  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    auto& memory = static_cast<Memory&>(scratch);
    const auto structure = model_->structure(i);
    const Worst worst = find_worst(i, structure, w, memory);
    model_->add_features(i, difference(i, structure, worst, memory), worst.weight, gradient);
    return worst.value;
  }

 private:
  using Structure = typename M::Structure;

  struct Memory final : public Scratch {
    ProblemScratch<M> problem;
    std::vector<std::uint32_t> levels;
  };

  struct Worst {
    double value = 0;
    double weight = 0;  // cost(ŷ), times that of the example; 0: nothing is lacking
    Index level = 0;
  };

  // The costs of the parts in units. Returns one more than the largest total there may be.
  Index fill_levels(Index i, const Structure& structure, Memory& memory) const {
    const std::span<double> costs = std::span(memory.problem.parts).first(structure.num_parts());
    std::fill(costs.begin(), costs.end(), 0.0);
    model_->add_costs(i, 1, costs);
    memory.levels.resize(structure.num_level_parts());
    for (Index p = 0; p < memory.levels.size(); ++p) {
      const double level = costs[p] / unit_;
      if (!(level >= 0 && level <= static_cast<double>(kMostLevels)) ||
          level != std::floor(level)) {
        throw UsageError(
            "slacks can be rescaled by costs that are whole multiples of a unit alone");
      }
      memory.levels[p] = static_cast<std::uint32_t>(level);
    }
    const std::uint64_t total = structure.highest_level(memory.levels);
    if (total > kMostLevels) throw UsageError("slacks are rescaled by costs of up to 65535 units");
    return total + 1;
  }

  Worst find_worst(Index i, const Structure& structure, std::span<const double> w,
                   Memory& memory) const {
    memory.problem.resize(structure.num_parts());
    const Index num_levels = fill_levels(i, structure, memory);
    const std::span<double> s = std::span(memory.problem.scores).first(structure.num_parts());
    model_->scores(i, w, s);
    auto& best = memory.problem.best;
    structure.maximize_levels(s, memory.levels, num_levels, memory.problem.structure, best);
    const double gold = structure.score(s, model_->gold(i));
    Worst worst;
    for (Index level = 1; level < num_levels; ++level) {
      if (best[level].score == kImpossible) continue;
      const double weight = model_->example_weight(i) * (unit_ * static_cast<double>(level));
      const double value = weight * (1 + best[level].score - gold);
      if (value > worst.value) worst = {value, weight, level};
    }
    return worst;
  }

  // z(ŷ) − z(y_i)
  std::span<const double> difference(Index i, const Structure& structure, const Worst& worst,
                                     Memory& memory) const {
    const std::span<double> z = std::span(memory.problem.parts).first(structure.num_parts());
    if (worst.weight == 0) {
      std::fill(z.begin(), z.end(), 0.0);
      return z;
    }
    const std::span<double> truth = std::span(memory.problem.truth).first(structure.num_parts());
    structure.indicator(memory.problem.best[worst.level].output, z);
    structure.indicator(model_->gold(i), truth);
    subtract(z, truth);
    return z;
  }

  static constexpr std::uint64_t kMostLevels = 65535;

  const M* model_;
  double unit_;
};

}  // namespace trellis
