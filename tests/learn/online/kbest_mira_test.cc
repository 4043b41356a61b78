#include "trellis/learn/online/kbest_mira.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <vector>

#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"

namespace trellis::testing {
namespace {

TEST(KBestMira, WithOneCutIsDca) {
  const ClassificationData data = ClassificationData::random(12, 60, 6, 4);
  const MarginOracle oracle(data);
  for (const double lambda : {0.0, 1e-3, 0.5}) {
    KBestMiraOptions mira_options;
    mira_options.lambda = lambda;
    mira_options.k = 1;
    mira_options.max_epochs = 5;
    DcaOptions dca_options;
    dca_options.lambda = lambda;
    dca_options.max_epochs = 5;
    std::vector<double> by_mira(oracle.dimension()), by_dca(oracle.dimension());
    kbest_mira(oracle, mira_options, by_mira);
    dca(oracle, dca_options, by_dca);
    EXPECT_EQ(by_mira, by_dca);
  }
}

TEST(KBestMira, StepMinimisesTheProximalObjectiveOfItsCuts) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const ClassificationData data = ClassificationData::random(seed, 1, 4, 5);
    const MarginOracle oracle(data);
    Random draw(seed, 1);
    std::vector<double> start(oracle.dimension());
    for (double& weight : start) weight = 0.5 * draw.normal();
    KBestMiraOptions options;
    options.lambda = 0.3;
    options.k = 5;  // all outputs: the step minimises ½‖v − w‖² + C L(v)
    options.max_epochs = 1;
    options.average = false;
    std::vector<double> w = start;
    kbest_mira(oracle, options, w);
    const auto value = [&](const std::vector<double>& v) {
      double distance = 0;
      for (Index j = 0; j < v.size(); ++j) distance += (v[j] - start[j]) * (v[j] - start[j]);
      return distance / 2 + objective(oracle, v, 0) / 0.3;
    };
    const double best = value(w);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> v = w;
      const double distance = std::pow(10.0, -4 + 4 * draw.uniform());
      for (double& weight : v) weight += distance * draw.normal();
      EXPECT_GE(value(v), best - 1e-9);
    }
  }
}

TEST(KBestMira, MoreCutsThanOutputsAreFine) {
  const ClassificationData data = ClassificationData::random(2, 10, 3, 3);
  const MarginOracle oracle(data);
  KBestMiraOptions options;
  std::vector<double> three(oracle.dimension()), many(oracle.dimension());
  options.k = 3;
  kbest_mira(oracle, options, three);
  options.k = 100;
  kbest_mira(oracle, options, many);
  EXPECT_EQ(three, many);
}

TEST(KBestMira, RefusesOptionsThatDoNotFit) {
  const ClassificationData data = ClassificationData::random(2, 3, 3, 3);
  const MarginOracle oracle(data);
  std::vector<double> w(oracle.dimension());
  KBestMiraOptions options;
  options.k = 0;
  EXPECT_THROW(kbest_mira(oracle, options, w), UsageError);
  options.k = 1;
  options.lambda = -1;
  EXPECT_THROW(kbest_mira(oracle, options, w), UsageError);
}

}  // namespace
}  // namespace trellis::testing
