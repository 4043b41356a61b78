// Weights that are held to others than 0: every learner ends at the optimum of
//
//   λ/2 ‖w − w₀‖² + (1/n) Σ_i L_i(w)
//
// which an ellipsoid around it finds that shrinks, by nothing but enumerated outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/fit/learner_table.h"
#include "tests/learn/small_problems.h"
#include "tests/problem/random_matchings.h"
#include "trellis/fit/fit.h"
#include "trellis/problem/centred_model.h"

namespace trellis::testing {
namespace {

using Model = BlockModel<Permutation>;
using Weights = std::vector<double>;

constexpr Index kNodes = 3;
constexpr double kLambda = kTableLambda;

// The objective, as it is written above, from the model's scores and costs.
class Enumerated {
 public:
  Enumerated(const Model& model, const Loss& loss, Weights centre)
      : model_(model), loss_(loss), centre_(std::move(centre)) {
    Permutation::Output y(kNodes);
    std::iota(y.begin(), y.end(), Label{0});
    do {
      outputs_.push_back(y);
    } while (std::next_permutation(y.begin(), y.end()));
  }

  // And a subgradient.
  double evaluate(const Weights& w, Weights& slope) const {
    double value = 0;
    for (Index k = 0; k < w.size(); ++k) {
      const double v = w[k] - centre_[k];
      value += kLambda / 2 * v * v;
      slope[k] = kLambda * v;
    }
    const auto n = static_cast<double>(model_.num_examples());
    for (Index i = 0; i < model_.num_examples(); ++i) value += add_loss(i, w, slope) / n;
    return value;
  }
  double value(const Weights& w) const {
    Weights slope(w.size());
    return evaluate(w, slope);
  }

 private:
  double add_loss(Index i, const Weights& w, Weights& slope) const {
    const Permutation structure(kNodes);
    Weights s(structure.num_parts()), z(s.size()), truth(s.size());
    model_.scores(i, w, s);
    model_.add_costs(i, loss_.gamma, s);
    const double gold = structure.score(s, model_.gold(i));
    Weights violations;
    for (const auto& y : outputs_) violations.push_back(structure.score(s, y) - gold);
    const double worst = *std::max_element(violations.begin(), violations.end());
    Weights shares;
    for (const double violation : violations) {
      shares.push_back(loss_.hinge() ? (violation == worst ? 1.0 : 0.0)
                                     : std::exp(loss_.beta * (violation - worst)));
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    structure.indicator(model_.gold(i), truth);
    const auto n = static_cast<double>(model_.num_examples());
    for (Index k = 0; k < outputs_.size(); ++k) {
      structure.indicator(outputs_[k], z);
      for (Index p = 0; p < z.size(); ++p) z[p] -= truth[p];
      model_.add_features(i, z, model_.example_weight(i) * shares[k] / (sum * n), slope);
    }
    const double more = loss_.hinge() ? 0 : std::log(sum) / loss_.beta;
    return model_.example_weight(i) * (worst + more);
  }

  const Model& model_;
  Loss loss_;
  Weights centre_;
  std::vector<Permutation::Output> outputs_;
};

// The ellipsoid method (Shor 1977): each subgradient leaves one half of the ellipsoid, around which
// the next one is the smallest.
double smallest_value(const Enumerated& objective, Weights w, double radius) {
  const Index d = w.size();
  const auto n = static_cast<double>(d);
  Weights shape(d * d, 0.0), slope(d), step(d);
  for (Index k = 0; k < d; ++k) shape[k * d + k] = radius * radius;
  double best = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 1500; ++iteration) {
    best = std::min(best, objective.evaluate(w, slope));
    double length = 0;
    for (Index j = 0; j < d; ++j) {
      step[j] = 0;
      for (Index k = 0; k < d; ++k) step[j] += shape[j * d + k] * slope[k];
      length += step[j] * slope[j];
    }
    length = std::sqrt(length);
    if (!(length > 1e-11)) break;  // nothing in the ellipsoid is better by more than that
    for (double& one : step) one /= length;
    for (Index j = 0; j < d; ++j) {
      w[j] -= step[j] / (n + 1);
      for (Index k = 0; k < d; ++k) {
        double& entry = shape[j * d + k];
        entry = n * n / (n * n - 1) * (entry - 2 / (n + 1) * step[j] * step[k]);
      }
    }
  }
  return best;
}

struct Problem {
  Model plain = random_matchings(kNodes, 6, 0.6, 4);
  Weights centre = {-1.5, 0.7, 0.2};
  CentredModel<Model> model{plain, centre};
};

// What a learner finds, as weights.
Weights around(const Weights& centre, const Weights& v) {
  Weights w = centre;
  for (Index k = 0; k < w.size(); ++k) w[k] += v[k];
  return w;
}

void expect_optimum(const Problem& problem, const LearnerOptions& said, LearnerAim aim) {
  const LearnerChoice choice =
      choose(said, silent_task(), able_of<std::remove_cvref_t<decltype(problem.model)>>());
  const Enumerated objective(problem.plain, choice.loss, problem.centre);
  const double optimum = smallest_value(objective, problem.centre, 30);
  Weights v(problem.centre.size(), 0.0);
  const LearnSummary summary = fit(problem.model, {choice, v}).summary;
  const double reached = objective.value(around(problem.centre, v));
  EXPECT_NEAR(summary.objective, reached, 1e-8 * reached);
  EXPECT_GE(reached, optimum - 1e-8);
  EXPECT_LE(summary.bound, optimum + 1e-8);
  const double close = said.geometry == "entropic" ? 5e-3 : 2e-3;  // example by example: slow
  EXPECT_LE(reached, optimum * (aim == LearnerAim::kOptimum ? 1 + close : 1.5));
  // It is another one than where weights are held to 0, or this would show nothing.
  Weights w(problem.centre.size(), 0.0);
  const Enumerated usual(problem.plain, choice.loss, w);
  EXPECT_GT(std::abs(smallest_value(usual, w, 30) - optimum), 0.01 * optimum);
}

TEST(CentredModel, EveryLearnerEndsAtTheEnumeratedOptimumOfTheMarginLoss) {
  const Problem problem;
  Index learners = 0;
  for (const LearnerVariant& one : learner_variants()) {
    if (one.aim == LearnerAim::kOther || one.said.learner == LearnerKind::kSmo) continue;
    SCOPED_TRACE(one.name);
    LearnerOptions said = one.said;
    if (said.learner != LearnerKind::kQp) said.certify = true;
    expect_optimum(problem, said, one.aim);
    ++learners;
  }
  EXPECT_GE(learners, 10U);
}

TEST(CentredModel, EveryLearnerEndsAtTheEnumeratedOptimumOfSmoothLosses) {
  const Problem problem;
  for (const char* loss : {"crf", "softmax-margin"}) {
    for (const auto learner : {LearnerKind::kLbfgs, LearnerKind::kDca, LearnerKind::kBcfw,
                               LearnerKind::kBmrm, LearnerKind::kSgd}) {
      SCOPED_TRACE(std::string(to_string(learner)) + " " + loss);
      LearnerOptions said = saying(learner, loss);
      said.lambda = kLambda;
      said.certify = true;
      if (learner == LearnerKind::kDca) said.dual = "stored";
      if (learner != LearnerKind::kSgd) said.gap = 1e-4;
      said.epochs = learner == LearnerKind::kSgd ? 30 : 3000;
      expect_optimum(problem, said,
                     learner == LearnerKind::kSgd ? LearnerAim::kNear : LearnerAim::kOptimum);
    }
  }
}

TEST(CentredModel, OfSomeExamplesIsThatOfAModelOfThese) {
  const Problem problem;
  const std::vector<Index> some = {4, 1, 2};
  std::vector<BlockExample<Permutation>> chosen;
  for (const Index i : some) chosen.push_back(problem.plain.example(i));
  const Model alone(problem.plain.dimension(), chosen);
  for (const auto learner : {LearnerKind::kBcfw, LearnerKind::kExtragradient}) {
    LearnerOptions said = saying(learner, "svm");
    said.lambda = kLambda;
    said.epochs = 20;
    const LearnerChoice choice = choose(said, silent_task(), able_of<CentredModel<Model>>());
    Weights v(problem.centre.size(), 0.0), other = v;
    FitCall call{choice, v};
    call.examples = some;
    fit(problem.model, call);
    fit(CentredModel<Model>(alone, problem.centre), {choice, other});
    EXPECT_EQ(v, other);
  }
}

TEST(CentredModel, WithoutACentreIsTheModelItself) {
  const Problem problem;
  for (const LearnerVariant& one : learner_variants()) {
    if (one.said.learner == LearnerKind::kSmo) continue;
    SCOPED_TRACE(one.name);
    LearnerOptions said = one.said;
    if (said.learner != LearnerKind::kQp) said.epochs = 5;
    const LearnerChoice choice = choose(said, silent_task(), able_of<Model>());
    Weights w(problem.centre.size(), 0.0), other = w;
    fit(problem.plain, {choice, w});
    fit(CentredModel<Model>(problem.plain), {choice, other});
    EXPECT_EQ(w, other);
  }
}

TEST(CentredModel, TheStrongestPenaltyLeavesTheCentreAndThePerceptronStartsThere) {
  const Problem problem;
  LearnerOptions said = saying(LearnerKind::kBmrm, "svm");
  said.lambda = 1e9;
  Weights v(problem.centre.size(), 0.0);
  const Able able = able_of<CentredModel<Model>>();
  fit(problem.model, {choose(said, silent_task(), able), v});
  for (const double one : v) EXPECT_NEAR(one, 0, 1e-7);
  // Weights without a mistake are where it stays.
  const Model easy = random_matchings(kNodes, 4, 100, 5);
  const Weights centre(3, -1.0);
  said = saying(LearnerKind::kPerceptron);
  said.epochs = 3;
  fit(CentredModel<Model>(easy, centre), {choose(said, silent_task(), able), v = Weights(3)});
  EXPECT_EQ(v, Weights(3));
}

// v would have bounds of its own where w must not be negative.
TEST(CentredModel, HoldsWeightsThatMustNotBeNegativeToZeroAlone) {
  const SmallCut problem;
  const Weights legal = {0.5, -0.5, 0, 0};
  const CentredModel<BlockModel<CutNetwork>> model(problem.model(), legal);
  ASSERT_EQ(model.nonnegative().size(), 1U);
  LearnerOptions said = saying(LearnerKind::kBmrm, "svm");
  said.lambda = kLambda;
  Weights v(legal.size(), 0.0);
  const Able able = able_of<std::remove_cvref_t<decltype(model)>>();
  EXPECT_LT(fit(model, {choose(said, silent_task(), able), v}).summary.gap(), 1e-3);
  EXPECT_GE(std::min(v[2], v[3]), 0);
  const auto centred = [&](const Weights& centre) {
    return refusal_by([&] { CentredModel<BlockModel<CutNetwork>>(problem.model(), centre); });
  };
  EXPECT_TRUE(contains(centred({0, 0, 0, 0.1}), "only be regularised towards 0"));
  EXPECT_TRUE(contains(centred({0, 0, 0}), "other features"));
}

}  // namespace
}  // namespace trellis::testing
