#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/problem/chain/random_chains.h"
#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/partial_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis {
namespace {

using testing::RandomChainOptions;
using testing::RandomChains;

struct Case {
  const char* name;
  RandomChainOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int order = 1; order <= 3; ++order) {
    RandomChainOptions plain;
    plain.order = order;
    all.push_back({"plain", plain});
    RandomChainOptions rules = plain;
    rules.rules = true;
    rules.set = FeatureSet::kAll;
    all.push_back({"rules, all features", rules});
    RandomChainOptions edges = rules;
    edges.edges = edges.values = true;
    all.push_back({"rules, edge attributes with values", edges});
  }
  return all;
}

const std::vector<Loss> kGrid = {{0.1, 0}, {0.1, 2}, {1, 0},  {1, 1},   {1, 5},
                                 {3, 1},   {5, 0.5}, {50, 1}, {1000, 1}};

TEST(ChainProblem, LossEqualsEnumerationOverTheGrid) {
  for (const Case& c : cases()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const RandomChains chains(c.options, seed);
      Random random(seed, 1);
      const auto w =
          testing::random_weights(chains.model().dimension(), 2, random, chains.restriction());
      for (Index i = 0; i < chains.model().num_examples(); ++i) {
        const double weight = chains.examples().weight(i);
        for (const Loss& loss : kGrid) {
          const SmoothProblem problem(chains.model(), loss.beta, loss.gamma);
          const double expected = weight * chains.loss_by_enumeration(loss, i, w);
          EXPECT_NEAR(testing::value_at(problem, i, w), expected, 1e-9 * (1 + expected)) << c.name;
        }
        for (double gamma : {0.0, 1.0, 3.0}) {
          const HingeProblem problem(chains.model(), gamma);
          const double expected =
              weight * chains.loss_by_enumeration({Loss::kInfinity, gamma}, i, w);
          EXPECT_NEAR(testing::value_at(problem, i, w), expected, 1e-9 * (1 + expected)) << c.name;
        }
      }
    }
  }
}

TEST(ChainProblem, SmoothOraclesConformOverTheGrid) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const RandomChains chains(c.options, 7);
    for (const Loss& loss : kGrid) {
      const SmoothProblem problem(chains.model(), loss.beta, loss.gamma);
      testing::expect_touching(problem, 1, chains.restriction());
      testing::expect_minorant(problem, 2, chains.restriction());
      testing::expect_gradient(problem, 3, chains.restriction(), std::min(1.0, 5 / loss.beta));
    }
  }
}

TEST(ChainProblem, HingeOraclesConform) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const RandomChains chains(c.options, 8);
    for (double gamma : {0.0, 1.0}) {
      const HingeProblem problem(chains.model(), gamma);
      testing::expect_touching(problem, 1, chains.restriction());
      testing::expect_minorant(problem, 2, chains.restriction());
    }
  }
}

TEST(ChainProblem, KBestCutsAreSortedMinorantsThatStartWithTheHinge) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const RandomChains chains(c.options, 9);
    const KBestProblem problem(chains.model(), 1);
    const auto scratch = problem.make_scratch();
    Random random(4);
    const auto w = testing::random_weights(problem.dimension(), 1, random, chains.restriction());
    const auto v = testing::random_weights(problem.dimension(), 1, random, chains.restriction());
    std::vector<Cut> cuts;
    for (Index i = 0; i < problem.num_examples(); ++i) {
      const double value = problem.evaluate_k_best(i, w, 5, *scratch, cuts);
      ASSERT_FALSE(cuts.empty());
      EXPECT_NEAR(value, testing::value_at(problem, i, w), 1e-9);
      EXPECT_NEAR(cuts.front().value(w), value, 1e-9);
      const double at_v = testing::value_at(problem, i, v);
      for (Index k = 0; k < cuts.size(); ++k) {
        if (k > 0) {
          EXPECT_LE(cuts[k].value(w), cuts[k - 1].value(w) + 1e-9);
        }
        EXPECT_LE(cuts[k].value(v), at_v + 1e-9);
      }
    }
  }
}

TEST(ChainProblem, PartialLabelsAreSummedOver) {
  for (Case c : cases()) {
    SCOPED_TRACE(c.name);
    c.options.partial = true;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const RandomChains chains(c.options, seed);
      for (const Loss& loss : {Loss{1, 0}, Loss{1, 1}, Loss{3, 0.5}}) {
        const PartialProblem problem(chains.model(), loss.beta, loss.gamma);
        Random random(seed, 1);
        const auto w =
            testing::random_weights(problem.dimension(), 2, random, chains.restriction());
        for (Index i = 0; i < problem.num_examples(); ++i) {
          const double expected =
              chains.examples().weight(i) * chains.loss_by_enumeration(loss, i, w);
          EXPECT_NEAR(testing::value_at(problem, i, w), expected, 1e-9 * (1 + expected));
        }
        testing::expect_touching(problem, 1, chains.restriction());
        testing::expect_gradient(problem, 2, chains.restriction());
      }
    }
  }
}

TEST(ChainProblem, LargeBetaApproachesTheHinge) {
  const RandomChains chains({}, 3);
  Random random(1);
  const SmoothProblem smooth(chains.model(), 1e3, 1);
  const HingeProblem hinge(chains.model(), 1);
  for (double size : {1.0, 1e3, 1e6}) {
    const auto w = testing::random_weights(smooth.dimension(), size, random, chains.restriction());
    for (Index i = 0; i < smooth.num_examples(); ++i) {
      EXPECT_NEAR(testing::value_at(smooth, i, w), testing::value_at(hinge, i, w),
                  0.02 + 1e-9 * size);
    }
  }
}

// What has no gradient cannot be handed to a learner that needs one.
static_assert(!std::is_convertible_v<HingeProblem<ChainModel>*, SmoothOracle*>);
static_assert(!std::is_convertible_v<PartialProblem<ChainModel>*, ConvexOracle*>);
static_assert(std::is_convertible_v<SmoothProblem<ChainModel>*, ConvexOracle*>);

TEST(Loss, RefusesWhatIsOutsideTheFamily) {
  EXPECT_THROW(Loss::named("hinge"), UsageError);
  EXPECT_THROW((Loss{0, 1}.validate()), UsageError);
  EXPECT_THROW((Loss{1, -1}.validate()), UsageError);
  EXPECT_THROW(require_smooth(Loss::named("svm")), UsageError);
  EXPECT_EQ(Loss::named("svm").description(), "svm");
}

TEST(CostTable, RefusesNegativeCostsAndCostsOfTheTruth) {
  EXPECT_THROW(CostTable(2, {0, -1, 1, 0}), UsageError);
  EXPECT_THROW(CostTable(2, {1, 1, 1, 0}), UsageError);
  EXPECT_THROW(CostTable(2, {0, 1, 1}), UsageError);
}

}  // namespace
}  // namespace trellis
