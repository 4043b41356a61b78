// Extragradient on matchings and cuts, against the joint convex program.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/learn/run_result.h"
#include "trellis/base/random.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/saddle_point/example_game.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"
#include "trellis/problem/block_model.h"
#include "trellis/problem/part_problem.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/structure/matchings/matching.h"

namespace trellis::testing {
namespace {

std::vector<float> random_features(Index size, Random& random) {
  std::vector<float> x(size);
  for (float& value : x) value = static_cast<float>(random.normal());
  return x;
}

// Partial matchings of 3 × 4 nodes, 5 features for each edge; true edges have larger ones.
BlockModel<Matching> random_matchings(std::uint64_t seed) {
  Random random(seed);
  std::vector<BlockExample<Matching>> examples;
  for (int i = 0; i < 8; ++i) {
    const Matching matching(3, 4);
    Matching::Output gold = {static_cast<Label>(random.below(2)), kNoLabel, 3};
    std::vector<double> truth(12);
    matching.indicator(gold, truth);
    std::vector<float> x = random_features(12 * 5, random);
    for (Index p = 0; p < 12; ++p) x[p * 5] += static_cast<float>(truth[p]);
    std::vector<double> costs(12);
    hamming_costs(truth, 1, 3, costs);
    examples.push_back({matching, gold, {{FeatureRows::dense(5, x), 0, 1, 0, 1}}, costs, 1});
  }
  return {5, std::move(examples)};
}

// Grids of 3 × 3 nodes with Potts edges: 3 node features, 2 edge features that are ≥ 0.
class RandomCuts {
 public:
  explicit RandomCuts(std::uint64_t seed) : model_(6, {}) {
    for (std::uint32_t j = 0; j < 9; ++j) {
      if (j % 3 < 2) edges_.push_back({j, j + 1});
      if (j < 6) edges_.push_back({j, j + 3});
    }
    Random random(seed);
    std::vector<BlockExample<CutNetwork>> examples;
    for (int i = 0; i < 6; ++i) examples.push_back(example(random));
    model_ = BlockModel<CutNetwork>(5, std::move(examples), {{3, 5}});
  }
  const BlockModel<CutNetwork>& model() const { return model_; }

 private:
  BlockExample<CutNetwork> example(Random& random) const {
    const CutNetwork network(9, edges_);
    CutNetwork::Output gold(9, 0);
    const Index split = 2 + random.below(6);
    for (Index j = 0; j < 9; ++j) gold[j] = j < split ? 1 : 0;
    std::vector<float> nodes = random_features(9 * 3, random);
    for (Index j = 0; j < 9; ++j) nodes[j * 3] += gold[j] == 1 ? 0.7F : -0.7F;
    std::vector<float> edges = random_features(edges_.size() * 2, random);
    for (float& value : edges) value = std::abs(value);
    std::vector<double> truth(network.num_parts());
    network.indicator(gold, truth);
    std::vector<double> costs(network.num_parts(), 0.0);
    hamming_costs(std::span<const double>(truth).first(9), 1, 1, std::span(costs).first(9));
    return {
        network,
        gold,
        {{FeatureRows::dense(3, nodes), 0, 1, 0, 1}, {FeatureRows::dense(2, edges), 9, 1, 3, -1}},
        costs,
        1};
  }

  std::vector<NodePair> edges_;
  BlockModel<CutNetwork> model_;
};

// Learner and reference meet within the learner's own gap.
template <class Learn, class Options>
void expect_reference_optimum(const EuclideanPartOracle& oracle, const Learn& learn,
                              Options options, double gap) {
  for (const bool penalised : {true, false}) {
    SCOPED_TRACE(penalised ? "penalty" : "ball");
    WeightPenalty penalty;
    if (penalised) {
      options.lambda = penalty.lambda = 0.05;
      options.ball = WeightBall::kNone;
    } else {
      options.lambda = 0;
      options.ball = WeightBall::kEuclidean;
      options.radius = penalty.radius = 0.8;
    }
    std::vector<double> reference(oracle.dimension());
    const LearnSummary exact = reference_qp(oracle, penalty, reference, {}, certified());
    std::vector<double> w(oracle.dimension());
    const LearnSummary summary = learn(oracle, options, w, certified());
    EXPECT_LE(summary.gap(), gap);
    EXPECT_LE(summary.bound, exact.objective + 1e-9);
    EXPECT_GE(summary.objective, exact.bound - 1e-9);
    for (const WeightRange& range : oracle.nonnegative()) {
      for (Index j = range.begin; j < range.end; ++j) EXPECT_GE(w[j], 0);
    }
  }
}

const auto kExtragradient =
    [](const EuclideanPartOracle& oracle, const ExtragradientOptions& options, std::span<double> w,
       const LearnControl& control) { return extragradient(oracle, options, w, control); };

TEST(ExtragradientStructures, MatchingsReachTheOptimumOfTheConvexProgram) {
  const BlockModel<Matching> model = random_matchings(1);
  const EuclideanPartProblem<BlockModel<Matching>> problem(model);
  ExtragradientOptions options;
  options.max_iterations = 500;
  expect_reference_optimum(problem, kExtragradient, options, 5e-3);
}

TEST(ExtragradientStructures, CutsReachTheOptimumOfTheConvexProgram) {
  const RandomCuts cuts(2);
  const EuclideanPartProblem<BlockModel<CutNetwork>> problem(cuts.model());
  ExtragradientOptions options;
  options.max_iterations = 500;
  expect_reference_optimum(problem, kExtragradient, options, 5e-3);
}

// Example by example, with nearest points by best outputs: of cuts there are such for scores of one
// sign alone, and no other may be asked for.
TEST(ExtragradientStructures, ExamplesInTurnReachTheOptimumOnBoth) {
  const BlockModel<Matching> matchings = random_matchings(1);
  const RandomCuts cuts(2);
  const auto check = [](const EuclideanPartOracle& oracle) {
    std::vector<double> reference(oracle.dimension());
    const LearnSummary exact = reference_qp(oracle, {0.05, 1e300}, reference, {}, certified());
    ExampleGameOptions options;
    options.lambda = 0.05;
    options.max_epochs = 2000;
    std::vector<double> w(oracle.dimension());
    const LearnSummary summary = example_game(oracle, options, w, certified());
    EXPECT_LE(summary.gap(), 2e-3);
    EXPECT_LE(summary.bound, exact.objective + 1e-9);
    EXPECT_GE(summary.objective, exact.bound - 1e-9);
    for (const WeightRange& range : oracle.nonnegative()) {
      for (Index j = range.begin; j < range.end; ++j) EXPECT_GE(w[j], 0);
    }
  };
  check(EuclideanPartProblem<BlockModel<Matching>>(matchings));
  check(EuclideanPartProblem<BlockModel<CutNetwork>>(cuts.model()));
}

TEST(ExtragradientStructures, ProjectedGradientComesCloseOnBoth) {
  const BlockModel<Matching> matchings = random_matchings(3);
  const RandomCuts cuts(4);
  ProjectedGradientOptions options;
  options.max_iterations = 500;
  expect_reference_optimum(EuclideanPartProblem<BlockModel<Matching>>(matchings),
                           projected_gradient, options, 0.2);
  expect_reference_optimum(EuclideanPartProblem<BlockModel<CutNetwork>>(cuts.model()),
                           projected_gradient, options, 0.2);
}

}  // namespace
}  // namespace trellis::testing
