#include "trellis/structure/sets/label_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using conformance::Scores;

std::vector<LabelSet::Output> all_sets(Index num_items) {
  std::vector<LabelSet::Output> outputs;
  for (Index bits = 0; bits < Index{1} << num_items; ++bits) {
    LabelSet::Output& y = outputs.emplace_back(num_items);
    for (Index v = 0; v < num_items; ++v) y[v] = static_cast<Label>(bits >> v & 1);
  }
  return outputs;
}

TEST(LabelSet, ConformsOnAllSmallSizes) {
  Random random(1);
  LabelSet::Scratch scratch;
  for (Index trial = 0; trial < 120; ++trial) {
    const LabelSet structure(trial % 8);
    const conformance::Enumeration<LabelSet> all(structure, all_sets(trial % 8));
    conformance::check_conformance(all, scratch, random);
    conformance::check_gradient(
        structure, conformance::draw_scores(Scores::kSmall, structure.num_parts(), random),
        scratch);
  }
}

TEST(LabelSet, SamplesFollowTheDistribution) {
  Random random(2);
  LabelSet::Scratch scratch;
  const LabelSet structure(5);
  const conformance::Enumeration<LabelSet> all(structure, all_sets(5));
  for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kHuge}) {
    conformance::check_samples(all, conformance::draw_scores(kind, 5, random), 20000, random,
                               scratch);
  }
}

TEST(LabelSet, ProjectionAndLinearProgramAreTheUnitCube) {
  Random random(3);
  LabelSet::Scratch scratch;
  for (Index trial = 0; trial < 20; ++trial) {
    const LabelSet structure(1 + trial % 6);
    const conformance::Enumeration<LabelSet> all(structure, all_sets(1 + trial % 6));
    conformance::check_outputs_are_feasible(all);
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      const auto s = conformance::draw_scores(kind, structure.num_parts(), random);
      conformance::check_project(structure, s, scratch);
      conformance::check_linear_program(all, s, scratch);
    }
  }
}

TEST(LabelSet, TiesGoToTheSmallestSet) {
  LabelSet::Scratch scratch;
  LabelSet::Output y;
  EXPECT_EQ(LabelSet(4).maximize(std::vector<double>{0, 2, -1, 0}, scratch, y), 2);
  EXPECT_EQ(y, (LabelSet::Output{0, 1, 0, 0}));
}

TEST(LabelSet, SumsKeepTheirAccuracyForCertainItems) {
  LabelSet::Scratch scratch;
  const std::vector<double> s = {-40, -50};
  std::vector<double> marginals(2);
  EXPECT_NEAR(LabelSet(2).log_partition(s, scratch, marginals) / std::exp(-40.0), 1, 1e-4);
  EXPECT_NEAR(marginals[1] / std::exp(-50.0), 1, 1e-12);
  EXPECT_NEAR(LabelSet(2).entropy(s, scratch) / std::exp(-40.0), 41, 0.01);
}

TEST(LabelSet, LegalOutputsAreBinaryAndOfTheRightSize) {
  const LabelSet structure(2);
  EXPECT_TRUE(structure.legal({0, 1}));
  EXPECT_FALSE(structure.legal({0}));
  EXPECT_FALSE(structure.legal({0, 2}));
  EXPECT_FALSE(structure.legal({-1, 0}));
}

TEST(LabelSet, ManyItemsRankInOrder) {
  Random random(4);
  LabelSet::Scratch scratch;
  const LabelSet structure(300);
  const std::vector<double> s = conformance::draw_scores(Scores::kSmall, 300, random);
  std::vector<ScoredOutput<LabelSet::Output>> best;
  structure.k_best(s, 50, scratch, best);
  ASSERT_EQ(best.size(), 50u);
  for (Index i = 1; i < best.size(); ++i) {
    EXPECT_LE(best[i].score, best[i - 1].score);
    EXPECT_NE(best[i].output, best[i - 1].output);
  }
}

}  // namespace
}  // namespace trellis
