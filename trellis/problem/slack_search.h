// The hinge with slacks that are rescaled by the cost (slack_problem.h), for every structure that
// finds best outputs and costs that are linear in the parts,
//
//   L_i(w) = max_y c(y) g(y),   c(y) = cost(y, y_i),   g(y) = γ + s·(z(y) − z(y_i)),
//
// where neither structure nor model has a maximiser for the product: it is looked for by best
// outputs of s + t p (product_bisection.h). What is found is one of those at the corners of the
// hull of all (c, g). An output inside the hull may be better, and is missed; hence a SearchOracle.
// The hull bounds L_i from above.
//
// Outputs without costs, such as y_i, whose (c, g) is (0, γ), count for nothing, but the hull of
// all reaches from there to the most costly ones, far above those in between. So structures that
// rank are asked for the best output that costs something, the second best at most, and the hull is
// that of mistakes alone: where these lack nothing, the bound is 0. For others it is loose.
//
// Time: that of some ten best outputs, or pairs of these.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"
#include "trellis/problem/product_bisection.h"
#include "trellis/problem/slack_problem.h"
#include "trellis/structure/structure.h"

namespace trellis {

template <class M>
concept SlackSearchModel =
    !SlackModel<M> && PartModel<M> && !CostMaximizer<M> && !CostSearcher<M> &&
    (ExactMaximizer<typename M::Structure> || Searcher<typename M::Structure>);

struct RescaledBounds {
  double value = 0;  // of the output that was found, whose cost is `cost`; 0, 0 where none lacks
  double cost = 0;
  double upper = 0;
};

// Finds ŷ, which it leaves in memory.output.
template <SlackSearchModel M>
class ProductSearch {
 public:
  using Structure = typename M::Structure;
  struct Memory {
    std::vector<double> mixed;  // a s + t p
    typename Structure::Output output;
    std::vector<ScoredOutput<typename Structure::Output>> best;
    ProductBisection bisection;
  };

  ProductSearch(const M& model, ChosenExamples) : model_(&model) {}

  // Values have the weight of the example in them.
  RescaledBounds find(Index i, const Structure& structure, double gamma, std::span<const double> s,
                      ProblemScratch<M>& memory, Memory& own) const {
    const std::span<const double> p = fill_costs(*model_, i, s.size(), memory);
    const Question question{structure, s, p, gamma - structure.score(s, model_->gold(i)),
                            -structure.score(p, model_->gold(i))};
    RescaledBounds best;
    ProductBisection& bisection = own.bisection;
    const auto highest_g = best_of(question, 1, 0, memory, own, best);
    if (!(highest_g.u > 0)) return {};  // nothing lacks
    bisection.begin(highest_g, best_of(question, 0, 1, memory, own, best));
    while (const std::optional<double> t = bisection.question()) {
      bisection.answer(best_of(question, 1, *t, memory, own, best));
    }
    const double weight = model_->example_weight(i);
    return {weight * best.value, best.cost, weight * std::max(best.value, bisection.upper())};
  }

 private:
  struct Question {
    const Structure& structure;
    std::span<const double> s, p;
    double own_g, own_c;  // g = own_g + s·z(y) and c = own_c + p·z(y)
  };

  // The best output of a s + t p, kept where its product is the best so far.
  static ProductBisection::Answer best_of(const Question& question, double a, double t,
                                          ProblemScratch<M>& memory, Memory& own,
                                          RescaledBounds& best) {
    const auto& [structure, s, p, own_g, own_c] = question;
    if (own.mixed.size() < s.size()) own.mixed.resize(s.size());
    const std::span<double> mixed = std::span(own.mixed).first(s.size());
    for (Index k = 0; k < s.size(); ++k) mixed[k] = a * s[k] + t * p[k];
    const double highest =
        a * own_g + t * own_c + highest_score(question, mixed, memory.structure, own);
    const double c = own_c + structure.score(p, own.output);
    const double g = own_g + structure.score(s, own.output);
    if (c > 0 && c * g > best.value) {
      best = {c * g, c, 0};
      std::swap(memory.output, own.output);
    }
    return {{c, g}, std::max(highest, a * g + t * c)};
  }

  // What no output's score exceeds, or none's that costs something; leaves an output of a high one.
  static double highest_score(const Question& question, std::span<const double> scores,
                              typename Structure::Scratch& scratch, Memory& own) {
    const Structure& structure = question.structure;
    if constexpr (!ExactMaximizer<Structure>) {
      return structure.search(scores, scratch, own.output).upper;
    } else if constexpr (KBest<Structure>) {
      structure.k_best(scores, 2, scratch, own.best);
      const bool second = own.best.size() > 1 && !costs(question, own.best[0].output) &&
                          costs(question, own.best[1].output);
      std::swap(own.output, own.best[second ? 1 : 0].output);
      return own.best[second ? 1 : 0].score;
    } else {
      return structure.maximize(scores, scratch, own.output);
    }
  }
  static bool costs(const Question& question, const typename Structure::Output& y) {
    return question.own_c + question.structure.score(question.p, y) > kNoCost;
  }

  static constexpr double kNoCost = 1e-12;

  const M* model_;
};

template <SlackSearchModel M>
class SlackSearchProblem final : public SlackLosses<M, ProductSearch<M>, SearchOracle> {
 public:
  using SlackLosses<M, ProductSearch<M>, SearchOracle>::SlackLosses;

  LossBounds accumulate_bounds(Index i, std::span<const double> w, Scratch& scratch,
                               std::span<double> gradient) const override {
    auto& memory = static_cast<SlackScratch<M, ProductSearch<M>>&>(scratch);
    const M& model = *this->model_;
    const Index k = this->chosen_[i];
    const auto structure = model.structure(k);
    const RescaledBounds found = this->find(k, structure, w, memory);
    model.add_features(k, this->difference(k, structure, found.cost, memory),
                       model.example_weight(k) * found.cost, gradient);
    return {found.value, found.upper};
  }
};

// The one of the two that the model's promise is for.
template <class M>
struct RescaledProblemOf;
template <SlackModel M>
struct RescaledProblemOf<M> {
  using Type = SlackProblem<M>;
};
template <SlackSearchModel M>
struct RescaledProblemOf<M> {
  using Type = SlackSearchProblem<M>;
};
template <class M>
using RescaledProblem = typename RescaledProblemOf<M>::Type;

}  // namespace trellis
