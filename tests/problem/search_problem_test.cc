// Which problem a model makes, by what its type promises of best outputs, and what the problem of a
// search that may miss promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <utility>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/base/random.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/graphs/relaxed_factor_graph.h"
#include "trellis/structure/limited_search.h"
#include "trellis/structure/matchings/relaxed_quadratic_matching.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis::testing {
namespace {

// Labels by a search that looks at every other one, and says so.
class HalfSeen : public Multiclass {
 public:
  using Multiclass::Multiclass;
  static constexpr Standing kMaximumStanding = Standing::kLowerBound;

  MaximumBounds search(std::span<const double> s, Scratch&, Label& y) const {
    Index best = 0;
    for (Index k = 2; k < s.size(); k += 2) {
      if (s[k] > s[best]) best = k;
    }
    y = static_cast<Label>(best);
    return {s[best], *std::max_element(s.begin(), s.end()) + 0.1};
  }
};
// The same without a bound.
class HalfBlind : public Multiclass {
 public:
  using Multiclass::Multiclass;
  static constexpr Standing kMaximumStanding = Standing::kLowerBound;
};

template <class M>
concept MakesHinges = requires(const M& model) {
  HingeProblem<M>(model);
};
template <class M>
concept MakesSearches = requires(const M& model) {
  SearchProblem<M>(model);
};
template <class M>
concept MakesParts = requires(const M& model) {
  PartProblem<M>(model);
};

// Each model makes one of the two, or none where its searches miss and bound nothing.
template <class S, bool hinges, bool searches, bool parts>
constexpr bool makes() {
  using M = BlockModel<S>;
  return MakesHinges<M> == hinges && MakesSearches<M> == searches && MakesParts<M> == parts;
}
static_assert(makes<Multiclass, true, false, true>());
static_assert(makes<FactorGraph, true, false, true>());
static_assert(makes<RelaxedQuadraticMatching, true, false, true>());  // exact, of its own polytope
static_assert(makes<RelaxedFactorGraph, false, true, true>());        // up to a residual
static_assert(makes<LimitedSearch<QuadraticMatching>, false, true, false>());
static_assert(makes<LimitedSearch<FactorGraph>, false, true, false>());
static_assert(makes<HalfSeen, false, true, false>());
static_assert(makes<HalfBlind, false, false, false>());
static_assert(!std::derived_from<SearchProblem<BlockModel<HalfSeen>>, ConvexOracle>);
static_assert(std::derived_from<SearchProblem<BlockModel<HalfSeen>>, SearchOracle>);

template <class S>
BlockModel<S> labelled(std::uint64_t seed) {
  constexpr Index kLabels = 5, kFeatures = 3;
  std::vector<BlockExample<S>> examples;
  for (Index i = 0; i < 12; ++i) {
    Random random(seed, i);
    std::vector<float> features(kLabels * kFeatures);
    for (float& x : features) x = static_cast<float>(random.normal());
    BlockExample<S> example{S(kLabels), static_cast<Label>(random.below(kLabels)), {}, {}, 1};
    example.weight = 0.5 + random.uniform();
    example.blocks.push_back({FeatureRows::dense(kFeatures, std::move(features)), 0, 1, 0, 1});
    example.costs.assign(kLabels, 1.0);
    example.costs[static_cast<Index>(example.gold)] = 0;
    examples.push_back(std::move(example));
  }
  return {kFeatures, std::move(examples)};
}

TEST(SearchProblem, EnclosesLossesWhoseBestOutputsAreMissed) {
  const BlockModel<HalfSeen> model = labelled<HalfSeen>(1);
  const BlockModel<Multiclass> whole = labelled<Multiclass>(1);
  const SearchProblem problem(model);
  const HingeProblem truth(whole);
  expect_touching(problem, 2);  // the value is that of the piece
  expect_minorant(problem, truth, 3);
  const auto loss = [&](Index i, const std::vector<double>& w) { return value_at(truth, i, w); };
  EXPECT_EQ(expect_enclosed(problem, loss, 4), 0U);
  EXPECT_FALSE(problem.touches());
  EXPECT_TRUE(truth.touches());
}

// Odd labels are never found, so that the true output is better where it is odd and far ahead.
TEST(SearchProblem, TakesTheTrueOutputWhereNothingFoundViolates) {
  const BlockModel<HalfSeen> model = labelled<HalfSeen>(5);
  const SearchProblem problem(model);
  const auto scratch = problem.make_scratch();
  Random random(6);
  Index trivial = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> w = random_weights(problem.dimension(), 3, random);
    for (Index i = 0; i < model.num_examples(); ++i) {
      Cut cut;
      const double value = problem.evaluate(i, w, *scratch, cut);
      EXPECT_GE(value, 0);
      if (value > 0) continue;
      ++trivial;
      EXPECT_EQ(cut.slope.squared_norm(), 0);
      EXPECT_EQ(cut.offset, 0);
    }
  }
  EXPECT_GT(trivial, 10U);
}

BlockModel<RelaxedFactorGraph> relaxed_rings(const FactorGraphs& graphs,
                                             const Ad3Options& options) {
  BlockModel<FactorGraph> exact = ring_model<FactorGraph>(
      graphs, [&](Index i) { return FactorGraph(*graphs.layouts[i]); }, 7);
  std::vector<BlockExample<RelaxedFactorGraph>> examples;
  for (Index i = 0; i < exact.num_examples(); ++i) {
    const BlockExample<FactorGraph>& one = exact.example(i);
    std::vector<double> gold(one.structure.num_parts());
    one.structure.indicator(one.gold, gold);
    examples.push_back({RelaxedFactorGraph(*graphs.layouts[i], options), std::move(gold),
                        one.blocks, one.costs, one.weight});
  }
  return {kRingFeatures, std::move(examples)};
}

// max over the local polytope, by the simplex method.
double relaxed_loss(const BlockModel<RelaxedFactorGraph>& model, Index i,
                    const std::vector<double>& w) {
  const RelaxedFactorGraph& structure = model.structure(i);
  std::vector<double> s(structure.num_parts());
  model.scores(i, w, s);
  model.add_costs(i, 1, s);
  const LinearProgram program = structure.linear_program();
  std::vector<double> objective(program.num_variables, 0.0);
  std::copy(s.begin(), s.end(), objective.begin());
  return maximize_linear_program(program, objective).value - structure.score(s, model.gold(i));
}

TEST(SearchProblem, RelaxedLossesLieBetweenAPointAndTheDual) {
  const FactorGraphs graphs = random_rings(5, 6);
  const BlockModel<RelaxedFactorGraph> model = relaxed_rings(graphs, RelaxedFactorGraph::kOptions);
  const SearchProblem problem(model);
  const auto scratch = problem.make_scratch();
  Random random(8);
  Index fractional = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<double> w = random_weights(kRingFeatures, 1, random);
    for (Index i = 0; i < model.num_examples(); ++i) {
      std::vector<double> slope(kRingFeatures, 0.0);
      const LossBounds bounds = problem.accumulate_bounds(i, w, *scratch, slope);
      const double truth = relaxed_loss(model, i, w);
      EXPECT_LE(bounds.value, truth + 1e-6);
      EXPECT_GE(bounds.value, truth - 1e-6);
      EXPECT_GE(bounds.upper, truth - 1e-9);
      Cut cut;
      problem.evaluate(i, w, *scratch, cut);
      for (int other = 0; other < 3; ++other) {
        const std::vector<double> v = random_weights(kRingFeatures, 1, random);
        EXPECT_LE(cut.value(v), relaxed_loss(model, i, v) + 1e-6);
      }
      fractional += bounds.upper > bounds.value ? 1 : 0;
    }
  }
  EXPECT_GT(fractional, 0U);
}

// However early AD³ is stopped, the bound is above the loss; that of its point need not be near.
TEST(SearchProblem, TheDualBoundsRelaxedLossesFromTheFirstIterationOn) {
  const FactorGraphs graphs = random_rings(5, 6);
  Random random(9);
  double missed = 0;
  for (const Index iterations : {1, 3, 10}) {
    const BlockModel<RelaxedFactorGraph> model = relaxed_rings(graphs, {iterations, 1e-8, 1e-9});
    const SearchProblem problem(model);
    const auto scratch = problem.make_scratch();
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> w = random_weights(kRingFeatures, 1, random);
      for (Index i = 0; i < model.num_examples(); ++i) {
        std::vector<double> slope(kRingFeatures, 0.0);
        const LossBounds bounds = problem.accumulate_bounds(i, w, *scratch, slope);
        EXPECT_GE(bounds.upper, relaxed_loss(model, i, w) - 1e-9);
        missed = std::max(missed, bounds.upper - bounds.value);
      }
    }
  }
  EXPECT_GT(missed, 1e-3);
}

}  // namespace
}  // namespace trellis::testing
