// Slacks that are rescaled by the costs where the largest product is searched for by best outputs:
// losses lie between the two bounds, by enumeration.
#include "trellis/problem/slack_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/problem/random_matchings.h"
#include "tests/problem/slack_enumeration.h"
#include "trellis/base/random.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/centred_model.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/pairwise_label_model.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/structure/graphs/relaxed_factor_graph.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis::testing {
namespace {

// A model makes one of the two problems, or none where its costs are not linear.
template <class M>
concept MakesRescaled = requires {
  typename RescaledProblemOf<M>::Type;
};
static_assert(std::same_as<RescaledProblem<ChainModel>, SlackProblem<ChainModel>>);
static_assert(std::same_as<RescaledProblem<LabelSetModel>, SlackProblem<LabelSetModel>>);
static_assert(SlackSearchModel<BlockModel<Matching>> && SlackSearchModel<BlockModel<CutNetwork>>);
static_assert(SlackSearchModel<BlockModel<Permutation>>);
static_assert(SlackSearchModel<BlockModel<RelaxedFactorGraph>>);  // a search by itself
static_assert(!MakesRescaled<PairwiseLabelModel>);
static_assert(std::derived_from<SlackSearchProblem<BlockModel<Matching>>, SearchOracle>);
static_assert(!std::derived_from<SlackSearchProblem<BlockModel<Matching>>, ConvexOracle>);

// Returns of how many losses the two bounds are the same.
template <class M>
double expect_slack_enclosed(const M& model, double gamma, const AllOutputs<M>& outputs,
                             const Restrict& restriction = {}) {
  const SlackSearchProblem<M> problem(model, gamma);
  const auto loss = [&](Index i, const std::vector<double>& w) {
    return rescaled_by_enumeration(model, i, gamma, w, outputs, linear_cost(model));
  };
  const Index exact = expect_enclosed(problem, loss, 4, restriction);
  expect_touching(problem, 5, restriction);
  Random random(6);
  const auto scratch = problem.make_scratch();
  for (Index i = 0; i < model.num_examples(); ++i) {
    Cut cut;
    EXPECT_GE(problem.evaluate(i, random_weights(model.dimension(), 1, random, restriction),
                               *scratch, cut),
              0);
    for (int other = 0; other < 10; ++other) {
      const auto v = random_weights(model.dimension(), 2, random, restriction);
      EXPECT_LE(cut.value(v), loss(i, v) + 1e-9);
    }
  }
  return static_cast<double>(exact) / static_cast<double>(5 * model.num_examples());
}

TEST(SlackSearch, OfAssignmentsEnclosesEnumeration) {
  std::vector<Permutation::Output> all;
  Permutation::Output order(4);
  std::iota(order.begin(), order.end(), 0);
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  const BlockModel<Permutation> model = random_matchings(4, 20, 0.5, 1);
  for (const double gamma : {0.0, 1.0, 2.5}) {
    const double exact =
        expect_slack_enclosed<BlockModel<Permutation>>(model, gamma, [&](Index) { return all; });
    EXPECT_GT(exact, 0.5);  // few totals of costs
    EXPECT_LT(exact, 1);
  }
}

BlockModel<LabelSet> random_costly_sets(Index num_labels, std::uint64_t seed) {
  std::vector<BlockExample<LabelSet>> examples;
  for (Index i = 0; i < 20; ++i) {
    Random random(seed, i);
    std::vector<float> features(3 * num_labels);
    for (float& x : features) x = static_cast<float>(random.normal());
    BlockExample<LabelSet> one{LabelSet(num_labels), std::vector<Label>(num_labels), {}, {}};
    for (Label& label : one.gold) label = random.uniform() < 0.5 ? 1 : 0;
    for (const Label label : one.gold) {
      one.costs.push_back((label == 1 ? -1 : 1) * random.uniform());
    }
    one.weight = 0.5 + random.uniform();
    one.blocks.push_back({FeatureRows::dense(3, std::move(features)), 0, 1, 0, 1});
    examples.push_back(std::move(one));
  }
  return {3, std::move(examples)};
}

// Any costs of single labels: a knapsack, which has no other maximiser.
TEST(SlackSearch, OfSetsWithAnyCostsEnclosesEnumeration) {
  for (const Index num_labels : {Index{1}, Index{4}, Index{7}}) {
    const BlockModel<LabelSet> model = random_costly_sets(num_labels, 2);
    const AllOutputs<BlockModel<LabelSet>> sets = [&](Index) { return all_sets(num_labels); };
    EXPECT_GT(expect_slack_enclosed(model, 1, sets), num_labels == 1 ? 0.99 : 0.4);
    const std::vector<double> centre = {0.3, -1, 0.5};
    const CentredModel<BlockModel<LabelSet>> centred(model, centre);
    expect_slack_enclosed<CentredModel<BlockModel<LabelSet>>>(centred, 1, sets);
  }
}

// Weights of edges must stay ≥ 0, and so must scores in every direction that is asked for.
TEST(SlackSearch, OfCutsEnclosesEnumeration) {
  const std::vector<NodePair> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}};
  std::vector<BlockExample<CutNetwork>> examples;
  for (Index i = 0; i < 15; ++i) {
    Random random(3, i);
    const CutNetwork network(5, edges);
    std::vector<float> nodes(10), links(edges.size());
    for (float& x : nodes) x = static_cast<float>(random.normal());
    for (float& x : links) x = static_cast<float>(random.uniform());
    std::vector<Label> gold(5);
    std::vector<double> costs(network.num_parts(), 0.0);
    for (Index j = 0; j < 5; ++j) {
      gold[j] = random.uniform() < 0.5 ? 1 : 0;
      costs[network.node_part(j)] = (gold[j] == 1 ? -1 : 1) * (1 + random.uniform());
    }
    examples.push_back(
        {network,
         gold,
         {{FeatureRows::dense(2, nodes), 0, 1, 0, 1}, {FeatureRows::dense(1, links), 5, 1, 2, -1}},
         costs});
  }
  const BlockModel<CutNetwork> model(3, std::move(examples), {{2, 3}});
  const Restrict positive = [](std::vector<double>& w) { w[2] = std::abs(w[2]); };
  expect_slack_enclosed<BlockModel<CutNetwork>>(
      model, 1, [](Index) { return all_sets(5); }, positive);
}

// Sets by a search that never takes the last label, and says so.
class AllButTheLast : public LabelSet {
 public:
  using LabelSet::LabelSet;
  static constexpr Standing kMaximumStanding = Standing::kLowerBound;

  MaximumBounds search(std::span<const double> s, Scratch&, Output& y) const {
    y.assign(s.size(), 0);
    double found = 0;
    for (Index k = 0; k + 1 < s.size(); ++k) {
      if (s[k] <= 0) continue;
      y[k] = 1;
      found += s[k];
    }
    return {found, found + std::max(0.0, s.back()) + 0.05};
  }
};

TEST(SlackSearch, OfASearchThatMissesEnclosesEnumeration) {
  const BlockModel<LabelSet> all = random_costly_sets(5, 7);
  std::vector<BlockExample<AllButTheLast>> examples;
  for (Index i = 0; i < all.num_examples(); ++i) {
    const BlockExample<LabelSet>& one = all.example(i);
    examples.push_back({AllButTheLast(5), one.gold, one.blocks, one.costs, one.weight});
  }
  const BlockModel<AllButTheLast> model(3, std::move(examples));
  const double exact =
      expect_slack_enclosed<BlockModel<AllButTheLast>>(model, 1, [](Index) { return all_sets(5); });
  EXPECT_LT(exact, 0.2);
}

}  // namespace
}  // namespace trellis::testing
