// Block models, with multiclass as the simplest structure that can stand on one.
#include "trellis/problem/block_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/part_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis {
namespace {

// A node with four labels: a dense block of two features, and a sparse one of width 9, with T = 4.
BlockModel<Multiclass> random_model(std::uint64_t seed) {
  Random random(seed);
  const Index labels = 4;
  std::vector<BlockExample<Multiclass>> examples;
  for (int i = 0; i < 6; ++i) {
    BlockExample<Multiclass> example{Multiclass(labels),
                                     static_cast<Label>(random.below(labels)),
                                     {},
                                     {},
                                     0.5 + random.uniform()};
    std::vector<float> dense = {static_cast<float>(random.normal()), 1.0F};
    example.blocks.push_back({FeatureRows::dense(2, dense), 0, labels, 0, 1});
    std::vector<std::uint32_t> ids;
    std::vector<float> values;
    for (std::uint32_t k = 0; k < 9; ++k) {
      if (random.uniform() < 0.6) continue;
      ids.push_back(k);
      values.push_back(static_cast<float>(random.normal()));
    }
    const auto count = static_cast<std::uint32_t>(ids.size());
    example.blocks.push_back(
        {FeatureRows::sparse(9, {0, count}, ids, values), 0, labels, 2 * labels, -2});
    std::vector<double> truth(labels);
    example.structure.indicator(example.gold, truth);
    example.costs.resize(labels);
    hamming_costs(truth, 0.5, 0.5, example.costs);
    examples.push_back(std::move(example));
  }
  return {11 * labels, std::move(examples)};
}

TEST(BlockModel, ScoresAndFeaturesAreTransposes) {
  const BlockModel<Multiclass> model = random_model(1);
  Random random(2);
  BlockModel<Multiclass>::Workspace workspace;
  for (Index i = 0; i < model.num_examples(); ++i) {
    std::vector<double> w(model.dimension()), z(4), s(4), gradient(model.dimension(), 0.0);
    for (double& weight : w) weight = random.normal();
    for (double& part : z) part = random.below(2) == 0 ? 0 : random.normal();
    model.scores(i, w, s);
    model.add_features(i, z, 3, gradient);
    double by_scores = 0, by_features = 0;
    for (Index p = 0; p < 4; ++p) by_scores += 3 * s[p] * z[p];
    for (Index j = 0; j < w.size(); ++j) by_features += w[j] * gradient[j];
    EXPECT_NEAR(by_scores, by_features, 1e-12);
    SparseVector slope;
    model.features(i, z, 3, workspace, slope);
    std::vector<double> dense(model.dimension(), 0.0);
    slope.add_to(dense, 1);
    EXPECT_EQ(dense, gradient);
  }
}

TEST(BlockModel, MakesOraclesThatKeepTheirPromises) {
  const BlockModel<Multiclass> model = random_model(3);
  const HingeProblem<BlockModel<Multiclass>> hinge(model);
  testing::expect_touching(hinge, 4);
  testing::expect_minorant(hinge, 5);
  const SmoothProblem<BlockModel<Multiclass>> smooth(model, 1, 1);
  testing::expect_touching(smooth, 6);
  testing::expect_gradient(smooth, 7);
}

// max over Z of the part oracle's terms is the hinge.
TEST(BlockModel, PartOracleTellsTheSameLossAsTheHingeOracle) {
  const BlockModel<Multiclass> model = random_model(8);
  const HingeProblem<BlockModel<Multiclass>> hinge(model, 0.7);
  const EntropicPartProblem<BlockModel<Multiclass>> parts(model, 0.7);
  EXPECT_TRUE(parts.faces_by_zeros());
  const auto scratch = parts.make_scratch();
  Random random(9);
  std::vector<double> w(model.dimension());
  for (double& weight : w) weight = random.normal();
  for (Index i = 0; i < model.num_examples(); ++i) {
    std::vector<double> s(4), c(4), z(4), truth(4);
    parts.scores(i, w, *scratch, s);
    parts.costs(i, c);
    parts.target(i, truth);
    double gold = 0;
    for (Index p = 0; p < 4; ++p) {
      s[p] += c[p];
      gold += s[p] * truth[p];
    }
    EXPECT_NEAR(parts.maximize(i, s, *scratch, z) - gold, testing::value_at(hinge, i, w), 1e-12);
  }
}

TEST(FeatureRows, RefuseWhatDoesNotFit) {
  EXPECT_THROW(FeatureRows::dense(3, {1, 2}), UsageError);
  EXPECT_THROW(FeatureRows::dense(1, {std::numeric_limits<float>::quiet_NaN()}), UsageError);
  EXPECT_THROW(FeatureRows::sparse(2, {0, 2}, {1, 1}, {1, 1}), UsageError);
  EXPECT_THROW(FeatureRows::sparse(2, {0, 1}, {2}, {1}), UsageError);
  EXPECT_THROW(FeatureRows::sparse(2, {0, 1}, {0}, {INFINITY}), UsageError);
  EXPECT_THROW(FeatureRows::sparse(2, {0, 2}, {0}, {1}), UsageError);
}

TEST(BlockModel, RefusesBlocksThatReachTooFar) {
  const auto with = [](FeatureBlock block, Index dimension) {
    BlockExample<Multiclass> example{Multiclass(2), 0, {std::move(block)}, {0, 0}, 1};
    return BlockModel<Multiclass>(dimension, {example});
  };
  EXPECT_NO_THROW(with({FeatureRows::constant(1), 0, 2, 0, 1}, 2));
  EXPECT_THROW(with({FeatureRows::constant(2), 0, 2, 0, 1}, 2), UsageError);
  EXPECT_THROW(with({FeatureRows::constant(1), 0, 2, 1, 1}, 2), UsageError);
}

}  // namespace
}  // namespace trellis
