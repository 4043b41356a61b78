#include "trellis/structure/trees/parse_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "forest_instance.h"
#include "tests/solve/vectors/each_target.h"
#include "tests/structure/structure_conformance.h"

namespace trellis::parse_forest_test {
namespace {

using namespace conformance;
using Output = ParseForest::Output;

static_assert(KBest<ParseForest> && Summer<ParseForest> && Sampler<ParseForest> &&
              Projector<ParseForest>);

// A structure with what it refers to.
struct ForestInstance {
  std::unique_ptr<PackedForest> forest;
  std::unique_ptr<ParseForest> structure;
  std::vector<Output> outputs;  // all that is legal

  Enumeration<ParseForest> all() const { return {*structure, outputs}; }
};

ForestInstance make_instance(PackedForest forest) {
  ForestInstance instance;
  instance.forest = std::make_unique<PackedForest>(std::move(forest));
  instance.structure = std::make_unique<ParseForest>(*instance.forest);
  instance.outputs = AllDerivations(*instance.forest).list();
  return instance;
}

struct Case {
  const char* name;
  Index most_words;
  bool all_rules;
  double missing;  // nodes and edges
};

// One with 1 … most derivations, or now and then with none.
ForestInstance draw_instance(const Case& options, Index most, Random& random) {
  const double least = random.below(6) == 0 ? 0 : 1;
  Index words = 0;
  for (Index tries = 0;; ++tries) {
    if (tries % 100 == 0) words = 1 + random.below(options.most_words);
    const Index symbols = 2 + random.below(3);
    const double rules = options.all_rules ? 1 : random.uniform();
    PackedForest forest = draw_forest({words, symbols, rules, options.missing}, random);
    const double count = AllDerivations(forest).count();
    if (count >= least && count <= static_cast<double>(most)) {
      return make_instance(std::move(forest));
    }
  }
}

class ParseForestConformance : public ::testing::TestWithParam<Case> {
 protected:
  ForestInstance draw_small(Index most) { return draw_instance(GetParam(), most, random_); }

  Random random_{20261118, static_cast<std::uint64_t>(100 * GetParam().missing)};
  ParseForest::Scratch scratch_;  // one for all instances: what is left over must not matter
};

TEST_P(ParseForestConformance, EveryOperationEqualsEnumeration) {
  Index derivable = 0;
  for (Index i = 0; i < 30; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const ForestInstance instance = draw_small(400);
    derivable += instance.outputs.empty() ? 0 : 1;
    check_conformance(instance.all(), scratch_, random_);
    if (HasFailure()) return;
  }
  EXPECT_GE(derivable, 20u);
}

// From nearly uniform to nearly one derivation alone.
TEST_P(ParseForestConformance, AtAllTemperatures) {
  ForestInstance instance;
  while (instance.outputs.size() < 50) instance = draw_small(2000);
  for (const double beta : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
    SCOPED_TRACE(beta);
    std::vector<double> s = draw_scores(Scores::kSmall, instance.structure->num_parts(), random_);
    for (double& score : s) score *= beta;
    const Enumeration<ParseForest> all = instance.all();
    check_maximize(all, s, scratch_);
    check_k_best(all, s, 40, scratch_);
    check_k_best(all, s, instance.outputs.size() + 1, scratch_);
    check_sums(all, s, scratch_);
    check_samples(all, s, 500, random_, scratch_);
  }
}

TEST_P(ParseForestConformance, MarginalsAreTheGradientOfLogPartition) {
  for (Index i = 0; i < 15; ++i) {
    const ForestInstance instance = draw_small(2000);
    check_gradient(*instance.structure,
                   draw_scores(Scores::kSmall, instance.structure->num_parts(), random_), scratch_);
    if (HasFailure()) return;
  }
}

TEST_P(ParseForestConformance, SamplesHaveTheirProbabilities) {
  for (Index i = 0; i < 4; ++i) {
    const ForestInstance instance = draw_small(100);
    if (instance.outputs.empty()) continue;
    for (const Scores kind : {Scores::kSmall, Scores::kMixed}) {
      check_samples(instance.all(), draw_scores(kind, instance.structure->num_parts(), random_),
                    1000, random_, scratch_);
    }
    if (HasFailure()) return;
  }
}

// The polytope has no vertex but derivations: for any scores the program's best point is as good as
// the best of them, and whole where there is no second as good.
TEST_P(ParseForestConformance, LinearProgramIsIntegral) {
  for (Index i = 0; i < 20; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const ForestInstance instance = draw_small(400);
    const Enumeration<ParseForest> all = instance.all();
    for (const Scores kind : {Scores::kSmall, Scores::kLarge, Scores::kTies}) {
      check_linear_program(all, draw_scores(kind, instance.structure->num_parts(), random_),
                           scratch_);
    }
    if (!instance.outputs.empty()) {
      const auto s = draw_scores(Scores::kSmall, instance.structure->num_parts(), random_);
      for (const double x : maximize_linear_program(instance.structure->linear_program(), s).x) {
        EXPECT_NEAR(x, std::round(x), 1e-7);
      }
    }
    if (instance.outputs.size() <= 30) check_outputs_are_feasible(all);
    if (HasFailure()) return;
  }
}

TEST_P(ParseForestConformance, ProjectionsAreNearest) {
  for (Index i = 0; i < 20; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const ForestInstance instance = draw_small(200);
    const ParseForest& structure = *instance.structure;
    std::vector<double> v(structure.num_parts()), z(structure.num_parts());
    if (instance.outputs.empty()) {
      EXPECT_EQ(structure.project(v, scratch_, z).status, ProjectionStatus::kEmpty);
      EXPECT_EQ(z, std::vector<double>(z.size(), 0.0));
      continue;
    }
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      v = draw_scores(kind, structure.num_parts(), random_);
      EXPECT_EQ(structure.project(v, scratch_, z).status, ProjectionStatus::kOptimal);
      check_project(structure, v, scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(ParseForestConformance, LegalIsADerivationOfTheGoalAndNothingElse) {
  for (Index i = 0; i < 20; ++i) {
    const ForestInstance instance = draw_small(100);
    const std::set<Output> listed(instance.outputs.begin(), instance.outputs.end());
    EXPECT_FALSE(instance.structure->legal({}));
    for (const Output& y : instance.outputs) {
      EXPECT_TRUE(instance.structure->legal(y));
      Output other = y;
      other.push_back(y.back());
      EXPECT_FALSE(instance.structure->legal(other));
      other.assign(y.begin(), y.end() - 1);
      EXPECT_FALSE(instance.structure->legal(other));
      for (Index at = 0; at < y.size(); ++at) {
        other = y;
        other[at] = static_cast<std::uint32_t>(random_.below(instance.forest->num_edges() + 1));
        EXPECT_EQ(instance.structure->legal(other), listed.count(other) == 1);
      }
    }
    if (HasFailure()) return;
  }
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(All, ParseForestConformance,
                         ::testing::Values(Case{"AllRules", 3, true, 0},
                                           Case{"SomeRules", 7, false, 0},
                                           Case{"SomeMissing", 7, false, 0.08},
                                           Case{"ManyMissing", 5, false, 0.25}),
                         name_of);

// All of a chart: a node for each symbol and span above unary rules, and one below.
PackedForest full_chart(Index words, Index symbols) {
  Random random(0);
  return draw_forest({words, symbols, 1, 0}, random);
}

// There are Catalan's number of ways to put brackets around n words, C_{n−1}. With S symbols each
// of the 2n − 2 nodes below the goal is one of S(S + 1)/2 pairs, above and below unary rules; the
// goal has S to be made of. For three symbols and 40 words masses go into shifts
// (inside_kernels.h).
TEST(ParseForest, CatalanNumbers) {
  ParseForest::Scratch scratch;
  for (const Index symbols : {Index{1}, Index{3}}) {
    const double count = static_cast<double>(symbols);
    double expected = std::log(count);
    for (Index words = 1; words <= 40; ++words) {
      if (words < 4 || words == 40) {
        const PackedForest forest = full_chart(words, symbols);
        const ParseForest structure(forest);
        const std::vector<double> s(structure.num_parts(), 0.0);
        EXPECT_NEAR(structure.log_partition(s, scratch), expected, 1e-12 * (1 + expected));
        EXPECT_NEAR(structure.entropy(s, scratch), expected, 1e-12 * (1 + expected));
      }
      const double m = static_cast<double>(words - 1);  // C_{m+1} = C_m (4m + 2) / (m + 2)
      expected += std::log((4 * m + 2) / (m + 2)) + 2 * std::log(count * (count + 1) / 2);
    }
  }
}

// More derivations than a double can count: masses go into shifts (inside_kernels.h).
TEST(ParseForest, MoreDerivationsThanDoublesReach) {
  constexpr Index kNodes = 500, kEdges = 64;
  PackedForest forest;
  forest.add_node();
  forest.add_edge();
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    forest.add_node();
    for (Index e = 0; e < kEdges; ++e) forest.add_edge(node);
  }
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  const std::vector<double> s(structure.num_parts(), -1e6);
  std::vector<double> z(s.size());
  const double derivations = kNodes * std::log(static_cast<double>(kEdges));
  EXPECT_NEAR(structure.log_partition(s, scratch, z), derivations - 2e6 * (kNodes + 1), 1e-5);
  EXPECT_NEAR(structure.entropy(s, scratch), derivations, 1e-9);
  for (Index v = 0; v < forest.num_nodes(); ++v) EXPECT_NEAR(z[v], 1, 1e-12);
  for (Index e = 1; e < forest.num_edges(); ++e)
    EXPECT_NEAR(z[forest.num_nodes() + e] * 64, 1, 1e-12);
}

TEST(ParseForest, TiesGoToTheFirstEdgeFromTheGoalDown) {
  const PackedForest forest = full_chart(5, 2);
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  const std::vector<double> s(structure.num_parts(), 0.25);
  Output y;
  structure.maximize(s, scratch, y);
  std::vector<std::uint32_t> open = {static_cast<std::uint32_t>(forest.num_nodes() - 1)};
  for (const std::uint32_t edge : y) {
    ASSERT_FALSE(open.empty());
    EXPECT_EQ(edge, forest.begin(open.back()));
    open.pop_back();
    const auto [left, right] = forest.tails(edge);
    if (right != kNoNode) open.push_back(right);
    if (left != kNoNode) open.push_back(left);
  }
}

TEST(ParseForest, ForestsWithoutADerivation) {
  std::vector<PackedForest> forests(4);
  forests[1].add_node();  // a goal without edges; forests[0] has none
  forests[2].add_node();
  forests[2].add_node();
  forests[2].add_edge(0);  // from what cannot be derived
  forests[3].add_node();
  forests[3].add_edge();
  forests[3].add_node();  // what can be derived is not the goal
  ParseForest::Scratch scratch;
  Random random(1);
  for (PackedForest& forest : forests) {
    const ForestInstance instance = make_instance(std::move(forest));
    ASSERT_TRUE(instance.outputs.empty());
    check_conformance(instance.all(), scratch, random);
    check_linear_program(instance.all(), std::vector<double>(instance.structure->num_parts(), 1.0),
                         scratch);
    std::vector<double> v(instance.structure->num_parts(), 1.0);
    EXPECT_EQ(instance.structure->project(v, scratch, v).status, ProjectionStatus::kEmpty);
  }
}

// Nearly all the mass is on one derivation: the entropy is small, and right to many digits all the
// same.
TEST(ParseForest, SmallEntropiesKeepTheirDigits) {
  PackedForest forest;
  forest.add_node();
  forest.add_edge();
  forest.add_edge();
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  for (const double margin : {1.0, 30.0, 300.0, 700.0}) {
    const double q = std::exp(-margin);  // odds
    const double expected = std::log1p(q) + q / (1 + q) * margin;
    EXPECT_NEAR(structure.entropy(std::vector<double>{5, 0, margin}, scratch), expected,
                1e-13 * expected);
  }
}

// What is more than any fixed memory: a long sentence, whose derivations are checked by themselves.
TEST(ParseForest, LongSentences) {
  const PackedForest forest = full_chart(80, 2);
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  Random random(5);
  const std::vector<double> s = draw_scores(Scores::kSmall, structure.num_parts(), random);
  std::vector<ScoredOutput<Output>> best;
  structure.k_best(s, 200, scratch, best);
  ASSERT_EQ(best.size(), 200u);
  std::set<Output> distinct;
  for (Index i = 0; i < best.size(); ++i) {
    EXPECT_TRUE(structure.legal(best[i].output));
    EXPECT_EQ(structure.score(s, best[i].output), best[i].score);
    EXPECT_TRUE(i == 0 || best[i].score <= best[i - 1].score);
    distinct.insert(best[i].output);
  }
  EXPECT_EQ(distinct.size(), best.size());
  EXPECT_EQ(best[0].output.size(), 2 * 159u);  // a below-edge and an above-edge for each bracket
  Output y;
  EXPECT_EQ(structure.maximize(s, scratch, y), best[0].score);
  EXPECT_EQ(y, best[0].output);
  std::vector<double> z(structure.num_parts());
  EXPECT_GT(structure.log_partition(s, scratch, z), best[0].score);
  for (Index v = 0; v < forest.num_nodes(); ++v) {
    double sum = 0;
    for (Index e = forest.begin(v); e < forest.end(v); ++e) sum += z[forest.num_nodes() + e];
    EXPECT_NEAR(sum, z[v], 1e-12);
  }
  structure.sample(s, random, scratch, y);
  EXPECT_TRUE(structure.legal(y));
}

// Every derivation has one edge of one word's nodes, so what all of these have changes nothing; the
// scores are such that sums with the offsets are exact.
TEST(ParseForest, OffsetsOfAWordChangeNothing) {
  const PackedForest forest = full_chart(6, 3);
  const ParseForest structure(forest);
  ParseForest::Scratch scratch;
  Random random(6);
  std::vector<double> s(structure.num_parts());
  for (double& score : s) score = static_cast<double>(random.below(4096)) / 1024;
  std::vector<double> shifted = s, z(s.size()), again(s.size());
  for (Index v = 0, word = 0; v < forest.num_nodes(); ++v) {
    if (forest.begin(v) == forest.end(v) || forest.tails(forest.begin(v)).left != kNoNode) continue;
    const Index position = word++ / 3;  // three symbols each, in the order of words
    shifted[v] += position % 2 == 0 ? 1e9 : -7e8;
  }
  structure.log_partition(s, scratch, z);
  structure.log_partition(shifted, scratch, again);
  EXPECT_EQ(z, again);
  EXPECT_EQ(structure.entropy(s, scratch), structure.entropy(shifted, scratch));
}

TEST(ParseForest, SameBitsOnEveryTarget) {
  const auto results = on_each_target([] {
    std::vector<double> all;
    ParseForest::Scratch scratch;
    Random random(8);
    for (const Scores kind : {Scores::kSmall, Scores::kMixed}) {
      const PackedForest forest = draw_forest({12, 4, 0.7, 0.02}, random);
      const ParseForest structure(forest);
      const std::vector<double> s = draw_scores(kind, structure.num_parts(), random);
      std::vector<double> z(s.size());
      all.push_back(structure.log_partition(s, scratch, z));
      all.push_back(structure.entropy(s, scratch));
      all.insert(all.end(), z.begin(), z.end());
    }
    return all;
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  EXPECT_GT(results[0][0], kImpossible);
}

TEST(ParseForest, ProjectionsDoNotDependOnWhatCameBefore) {
  Random random(7);
  ParseForest::Scratch used;
  for (Index i = 0; i < 30; ++i) {
    const ForestInstance instance = draw_instance({"", 4, false, 0.1}, 500, random);
    const auto v = draw_scores(Scores::kSmall, instance.structure->num_parts(), random);
    std::vector<double> z(v.size()), again(v.size());
    ParseForest::Scratch fresh;
    instance.structure->project(v, fresh, z);
    instance.structure->project(v, used, again);
    EXPECT_EQ(z, again);
  }
}

}  // namespace
}  // namespace trellis::parse_forest_test
