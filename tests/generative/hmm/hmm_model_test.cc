#include "trellis/generative/hmm/hmm_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hmm_enumeration.h"
#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/slack_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {
namespace {

static_assert(PartModel<HmmModel> && Maximizer<HmmModel::Structure> && Summer<Chain>);

struct Setting {
  HmmAlphabet alphabet;
  std::vector<HmmSequence> sequences;
  CostTable costs;

  Setting(Index states, const std::vector<Index>& values, Random& random)
      : alphabet(small_alphabet(states, values)), costs(ring(states)) {
    for (Index n = 0; n < 4; ++n) {
      HmmSequence x = random_observations(alphabet, 1 + n, random, 0.2);
      for (Index t = 0; t <= n; ++t) x.states.push_back(static_cast<Label>(random.below(states)));
      sequences.push_back(x);
    }
  }
  static CostTable ring(Index states) {
    std::vector<double> table;
    for (Index i = 0; i < states; ++i) {
      for (Index j = 0; j < states; ++j) {
        const Index apart = i > j ? i - j : j - i;
        table.push_back(static_cast<double>(std::min(apart, states - apart)));
      }
    }
    return {states, table};
  }
};

TEST(HmmModel, LossesAreOraclesAndEqualEnumeration) {
  Random random(1);
  for (const std::vector<Index>& values : std::vector<std::vector<Index>>{{3}, {2, 40}}) {
    const Setting setting(3, values, random);
    const HmmModel model(setting.alphabet, setting.sequences, setting.costs);
    const HingeProblem<HmmModel> hinge(model);
    const SmoothProblem<HmmModel> smooth(model);
    const SlackProblem<HmmModel> slack(model);
    expect_touching(hinge, 1);
    expect_minorant(hinge, 2);
    expect_touching(slack, 6);
    expect_minorant(slack, 7);
    expect_touching(smooth, 3);
    expect_minorant(smooth, 4);
    expect_gradient(smooth, 5);
    const Hmm hmm = random_hmm(setting.alphabet, random);
    const std::vector<double> theta(hmm.theta().begin(), hmm.theta().end());
    for (Index i = 0; i < setting.sequences.size(); ++i) {
      const HmmSequence& x = setting.sequences[i];
      const Enumeration all(hmm, {x.observations, {}});
      const double truth = hmm.log_probability(x);
      double worst = 0, rescaled = 0;
      for (Index n = 0; n < all.paths.size(); ++n) {
        double cost = 0;
        for (Index t = 0; t < x.states.size(); ++t) {
          cost += setting.costs.row(x.states[t])[static_cast<Index>(all.paths[n][t])];
        }
        worst = std::max(worst, all.scores[n] + cost - truth);
        rescaled = std::max(rescaled, cost * (1 + all.scores[n] - truth));
      }
      EXPECT_NEAR(value_at(hinge, i, theta), worst, 1e-9);
      EXPECT_NEAR(value_at(slack, i, theta), rescaled, 1e-9);
      EXPECT_NEAR(value_at(smooth, i, theta), all.log_likelihood - truth, 1e-9);
    }
  }
}

TEST(HmmModel, RefusesSequencesWithoutStates) {
  const HmmAlphabet alphabet = small_alphabet(2, {2});
  const CostTable costs = CostTable::hamming(2);
  const auto make = [&](const HmmSequence& x) { HmmModel(alphabet, {&x, 1}, costs); };
  EXPECT_NO_THROW(make({{0, 1}, {0, 1}}));
  EXPECT_THROW(make({{0, 1}, {0, kNoLabel}}), UsageError);
  EXPECT_THROW(make({{0, 1}, {}}), UsageError);
  EXPECT_THROW(make({}), UsageError);
  const CostTable other = CostTable::hamming(3);
  EXPECT_THROW(HmmModel(alphabet, {}, other), UsageError);
}

}  // namespace
}  // namespace trellis::testing
