// Slacks that are rescaled by the costs: against enumeration, for chains and junction trees, and
// what every oracle promises.
#include "trellis/problem/slack_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/generative/hmm/hmm_model.h"
#include "trellis/generative/network/network_model.h"

namespace trellis {
namespace {

CostTable random_costs(Index size, Random& random) {
  std::vector<double> table(size * size, 0.0);
  for (Index a = 0; a < size; ++a) {
    for (Index b = 0; b < size; ++b) {
      if (a != b) table[a * size + b] = static_cast<double>(random.below(4));
    }
  }
  return CostTable(size, std::move(table));
}

template <class Model>
double by_enumeration(const Model& model, Index i, std::span<const double> w,
                      const std::vector<Index>& cardinalities) {
  const auto structure = model.structure(i);
  std::vector<double> s(structure.num_parts()), costs(structure.num_parts(), 0.0);
  model.scores(i, w, s);
  model.add_costs(i, 1, costs);
  const double gold = structure.score(s, model.gold(i));
  double worst = 0;
  std::vector<Label> y(cardinalities.size(), 0);
  for (bool more = true; more;) {
    const double cost = structure.score(costs, y);
    worst = std::max(worst, model.example_weight(i) * cost * (1 + structure.score(s, y) - gold));
    more = false;
    for (Index v = 0; v < y.size() && !more; ++v) {
      more = static_cast<Index>(++y[v]) < cardinalities[v];
      if (!more) y[v] = 0;
    }
  }
  return worst;
}

struct RandomSequences {
  HmmAlphabet alphabet{{"a", "b", "c"}, {{"o", {"x", "y"}, false}}};
  std::vector<HmmSequence> sequences;
  explicit RandomSequences(Random& random) {
    for (Index k = 0; k < 4; ++k) {
      HmmSequence one;
      for (Index t = 0; t < 1 + k; ++t) {
        one.states.push_back(static_cast<Label>(random.below(3)));
        one.observations.push_back(static_cast<std::uint32_t>(random.below(2)));
      }
      sequences.push_back(one);
    }
  }
};

TEST(SlackProblem, EqualsEnumerationOverChains) {
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const RandomSequences data(random);
    const CostTable costs = random_costs(3, random);
    const HmmModel model(data.alphabet, data.sequences, costs);
    const SlackProblem<HmmModel> problem(model);
    const auto scratch = problem.make_scratch();
    const std::vector<double> w = testing::random_weights(model.dimension(), 1, random);
    for (Index i = 0; i < model.num_examples(); ++i) {
      Cut cut;
      EXPECT_NEAR(problem.evaluate(i, w, *scratch, cut),
                  by_enumeration(model, i, w, std::vector<Index>(i + 1, 3)), 1e-9);
    }
    testing::expect_touching(problem, 7);
    testing::expect_minorant(problem, 8);
  }
}

TEST(SlackProblem, EqualsEnumerationOverNetworks) {
  Random random(2);
  NetworkGraph graph({{"a", {"0", "1"}}, {"b", {"0", "1", "2"}}, {"c", {"0", "1"}}},
                     {{}, {0}, {0, 1}});
  for (int trial = 0; trial < 30; ++trial) {
    NetworkData data(3);
    for (Index k = 0; k < 5; ++k) {
      const std::vector<Label> row = {static_cast<Label>(random.below(2)),
                                      static_cast<Label>(random.below(3)),
                                      static_cast<Label>(random.below(2))};
      data.add(row);
    }
    NetworkModelOptions options;
    for (const Index size : {2, 3, 2}) options.costs.push_back(random_costs(size, random));
    const NetworkModel model(graph, data, {0, 1}, options);
    const SlackProblem<NetworkModel> problem(model);
    const auto scratch = problem.make_scratch();
    const std::vector<double> w = testing::random_weights(model.dimension(), 1, random);
    for (Index i = 0; i < model.num_examples(); ++i) {
      Cut cut;
      EXPECT_NEAR(problem.evaluate(i, w, *scratch, cut), by_enumeration(model, i, w, {2, 3}), 1e-9);
    }
    testing::expect_touching(problem, 9);
    testing::expect_minorant(problem, 10);
  }
}

TEST(SlackProblem, RefusesCostsThatAreNoMultiples) {
  Random random(3);
  const RandomSequences data(random);
  const auto sum_with = [&](const CostTable& costs) {
    const HmmModel model(data.alphabet, data.sequences, costs);
    const std::vector<double> w(model.dimension(), 0.0);
    const SlackProblem<HmmModel> problem(model);
    const auto scratch = problem.make_scratch();
    double sum = 0;
    Cut cut;
    for (Index i = 0; i < model.num_examples(); ++i) sum += problem.evaluate(i, w, *scratch, cut);
    return sum;
  };
  EXPECT_GT(sum_with(CostTable(3, {0, 0.5, 1, 1, 0, 1, 1, 1, 0})), 0);
  EXPECT_THROW(sum_with(CostTable(3, {0, 0.7071067811865, 1, 1, 0, 1, 1, 1, 0})), UsageError);
}

}  // namespace
}  // namespace trellis
