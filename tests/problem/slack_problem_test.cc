// Slacks that are rescaled by the costs, against enumeration: labels, chains and sets.
#include "trellis/problem/slack_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/problem/chain/random_chains.h"
#include "tests/problem/labels/label_problems.h"
#include "tests/problem/oracle_conformance.h"
#include "tests/problem/slack_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/centred_model.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis::testing {
namespace {

static_assert(SlackModel<ChainModel> && SlackModel<BlockModel<Multiclass>>);
static_assert(SlackModel<LabelSetModel> && SlackModel<ReverseLabelModel>);
static_assert(!SlackModel<PairwiseLabelModel>, "its costs are no levels, and it has no search");
static_assert(!SlackModel<BlockModel<LabelSet>>, "with any costs that is a knapsack");

template <class M>
void expect_enumerated(const M& model, double gamma, const Restrict& restriction,
                       const AllOutputs<M>& outputs, const CostOf<M>& cost, Random& random) {
  const SlackProblem<M> problem(model, gamma);
  const auto scratch = problem.make_scratch();
  for (const double size : {0.0, 0.1, 1.0, 10.0}) {
    const std::vector<double> w = random_weights(model.dimension(), size, random, restriction);
    for (Index i = 0; i < model.num_examples(); ++i) {
      Cut cut;
      const double expected = rescaled_by_enumeration(model, i, gamma, w, outputs, cost);
      EXPECT_NEAR(problem.evaluate(i, w, *scratch, cut), expected, 1e-9 * (1 + expected));
    }
  }
  expect_touching(problem, 7, restriction);
  expect_minorant(problem, 8, restriction);
}

template <class M>
void expect_enumerated(const M& model, double gamma, const AllOutputs<M>& outputs, Random& random) {
  expect_enumerated<M>(model, gamma, {}, outputs, linear_cost(model), random);
}

// ---- chains

TEST(SlackProblem, OfChainsEqualsEnumeration) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomChainOptions options;
    options.order = 1 + static_cast<int>(seed % 3);
    options.rules = seed % 2 == 1;
    options.edges = seed % 4 == 3;
    options.values = seed % 5 == 4;
    const RandomChains chains(options, seed);
    const ChainModel& model = chains.model();
    for (const double gamma : {0.0, 1.0, 2.5}) {
      expect_enumerated<ChainModel>(model, gamma, chains.restriction(), all_sequences(model),
                                    linear_cost(model), random);
    }
  }
}

TEST(SlackProblem, OfChainsTakesWeightsOfLabels) {
  Random random(2);
  const RandomChains chains({}, 5);
  for (const std::vector<double>& weights :
       {std::vector<double>{1, 2, 0.5}, {0.1, 0.3, 0.7}, {0, 1, 1}, {0, 0, 0}}) {
    const CostTable costs = CostTable::weighted_hamming(weights);
    const ChainModel model(chains.features(), chains.examples(), costs);
    expect_enumerated<ChainModel>(model, 1, chains.restriction(), all_sequences(model),
                                  linear_cost(model), random);
  }
  const CostTable costs = CostTable::weighted_hamming(std::vector<double>{1, 2, 0.7182818284});
  const ChainModel model(chains.features(), chains.examples(), costs);
  EXPECT_THROW(SlackProblem<ChainModel>{model}, UsageError);
}

TEST(SlackProblem, OfOneMistakeIsTheMarginProblem) {
  // Where every mistake costs the same, a rescaled slack is that many times a rescaled margin.
  RandomChainOptions options;
  options.max_length = 1;
  const RandomChains chains(options, 3);
  const SlackProblem<ChainModel> slack(chains.model());
  const HingeProblem<ChainModel> margin(chains.model());
  Random random(3);
  const auto w = random_weights(chains.model().dimension(), 1, random, chains.restriction());
  for (Index i = 0; i < chains.model().num_examples(); ++i) {
    EXPECT_NEAR(value_at(slack, i, w), value_at(margin, i, w), 1e-12);
  }
}

// ---- one label of many

BlockModel<Multiclass> random_labels(Index num_labels, bool negative, Random& random) {
  constexpr Index kWidth = 3;
  std::vector<BlockExample<Multiclass>> examples;
  for (Index i = 0; i < 6; ++i) {
    const FeatureRows rows = random_rows(1, kWidth, true, random);
    const Label gold = static_cast<Label>(random.below(num_labels));
    std::vector<double> costs;
    for (Index y = 0; y < num_labels; ++y) costs.push_back(2 * random.uniform());
    costs[static_cast<Index>(gold)] = negative ? -0.5 : 0;
    BlockExample<Multiclass> one{Multiclass(num_labels), gold, {}, costs};
    one.blocks.push_back(FeatureBlock{rows, 0, num_labels, 0, 1});
    examples.push_back(one);
  }
  return {num_labels * kWidth, std::move(examples)};
}

TEST(SlackProblem, OfLabelsEqualsEnumeration) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const BlockModel<Multiclass> model = random_labels(1 + random.below(5), trial % 2 == 1, random);
    const AllOutputs<BlockModel<Multiclass>> labels = [&](Index i) {
      std::vector<Label> all;
      for (Index y = 0; y < model.structure(i).num_parts(); ++y) {
        all.push_back(static_cast<Label>(y));
      }
      return all;
    };
    for (const double gamma : {0.0, 1.0}) expect_enumerated(model, gamma, labels, random);
  }
}

TEST(SlackProblem, OfCentredWeightsEqualsEnumeration) {
  Random random(5);
  const BlockModel<Multiclass> labels = random_labels(3, false, random);
  const std::vector<double> centre = random_weights(labels.dimension(), 1, random);
  const CentredModel<BlockModel<Multiclass>> model(labels, centre);
  const AllOutputs<CentredModel<BlockModel<Multiclass>>> all = [](Index) {
    return std::vector<Label>{0, 1, 2};
  };
  expect_enumerated(model, 1, all, random);
}

// ---- sets, with measures that are not linear

template <class M>
void expect_sets_enumerated(const M& model, const SetMeasure& measure, const ItemLists& truths,
                            Random& random) {
  const AllOutputs<M> subsets = [&](Index i) { return all_sets(model.structure(i).num_parts()); };
  const CostOf<M> cost = [&](Index i, const LabelSet::Output& y) {
    return measure.loss(set_counts(truths[i], y));
  };
  for (const double gamma : {0.0, 1.0}) {
    expect_enumerated<M>(model, gamma, {}, subsets, cost, random);
  }
}

TEST(SlackProblem, OfSetsEqualsEnumeration) {
  using Kind = SetMeasure::Kind;
  Random random(6);
  for (const SetMeasure& measure :
       {SetMeasure{Kind::kFBeta, 1}, SetMeasure{Kind::kFBeta, 0.3}, SetMeasure{Kind::kPrecision},
        SetMeasure{Kind::kRecall}, SetMeasure{Kind::kHamming}}) {
    const FeatureRows rows = random_rows(6, 3, true, random);
    const ItemLists labels = random_lists(6, 4, random);
    expect_sets_enumerated(LabelSetModel(rows, 4, views(labels), measure), measure, labels, random);
    const ItemLists instances = random_lists(4, 6, random);
    expect_sets_enumerated(ReverseLabelModel(rows, views(instances), measure), measure, instances,
                           random);
  }
}

}  // namespace
}  // namespace trellis::testing
