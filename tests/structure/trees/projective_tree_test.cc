#include "trellis/structure/trees/projective_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis::projective_tree_test {
namespace {

using namespace conformance;
using Output = ProjectiveTree::Output;

static_assert(KBest<ProjectiveTree> && Summer<ProjectiveTree> && Sampler<ProjectiveTree> &&
              Projector<ProjectiveTree>);

struct Case {
  Roots roots;
  bool labels;
  bool missing;
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.roots == Roots::kOne ? "OneRoot" : "AnyRoots";
  if (info.param.labels) name += "Labels";
  if (info.param.missing) name += "Missing";
  return name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Roots roots : {Roots::kAny, Roots::kOne}) {
    for (const bool labels : {false, true}) {
      for (const bool missing : {false, true}) cases.push_back({roots, labels, missing});
    }
  }
  return cases;
}

// By the definition: everything between a head and its dependent descends from the head.
bool is_projective_tree(const std::vector<Index>& head) {  // of word m at [m]
  const auto descends = [&](Index word, Index from) {
    for (Index steps = 0; steps < head.size() && word != from && word != 0; ++steps) {
      word = head[word];
    }
    return word == from;
  };
  for (Index m = 1; m < head.size(); ++m) {
    if (!descends(m, 0)) return false;
    for (Index k = std::min(m, head[m]) + 1; k < std::max(m, head[m]); ++k) {
      if (!descends(k, head[m])) return false;
    }
  }
  return true;
}

// An arc for each word, in all ways.
template <class Visit>
void for_each_choice(const DependencyArcs& arcs, const Visit& visit) {
  Output y;
  for (Index m = 1; m <= arcs.words(); ++m) {
    if (arcs.begin(m) == arcs.begin(m + 1)) return;
    y.push_back(static_cast<std::uint32_t>(arcs.begin(m)));
  }
  for (;;) {
    visit(y);
    Index m = 1;
    for (; m <= y.size() && ++y[m - 1] == arcs.begin(m + 1); ++m) {
      y[m - 1] = static_cast<std::uint32_t>(arcs.begin(m));
    }
    if (m > y.size()) return;
  }
}

std::vector<Output> all_trees(const DependencyArcs& arcs, Roots roots) {
  std::vector<Output> trees;
  std::vector<Index> head(arcs.words() + 1, 0);
  for_each_choice(arcs, [&](const Output& y) {
    for (Index m = 1; m < head.size(); ++m) head[m] = arcs.head(y[m - 1]);
    if (roots == Roots::kOne && std::count(head.begin() + 1, head.end(), Index{0}) > 1) return;
    if (is_projective_tree(head)) trees.push_back(y);
  });
  return trees;
}

// A structure with what it refers to.
struct TreeInstance {
  std::unique_ptr<DependencyArcs> arcs;
  std::unique_ptr<ProjectiveTree> tree;
  std::vector<Output> outputs;  // all that is legal
};

std::unique_ptr<DependencyArcs> make_arcs(Index words, const Case& options, Random& random) {
  std::vector<DependencyArc> arcs;
  for (std::uint32_t m = 1; m <= words; ++m) {
    for (std::uint32_t h = 0; h <= words; ++h) {
      if (h == m || (options.missing && random.below(4) == 0)) continue;
      for (Index copies = options.labels ? 1 + random.below(2) : 1; copies > 0; --copies) {
        arcs.push_back({h, m});
      }
    }
  }
  return std::make_unique<DependencyArcs>(words, arcs);
}

TreeInstance make_tree(Index words, const Case& options, Random& random) {
  TreeInstance instance;
  instance.arcs = make_arcs(words, options, random);
  instance.tree = std::make_unique<ProjectiveTree>(*instance.arcs, options.roots);
  instance.outputs = all_trees(*instance.arcs, options.roots);
  return instance;
}

TreeInstance make_small(const Case& options, Random& random) {
  return make_tree(1 + random.below(options.labels ? 3 : 4), options, random);
}

class ProjectiveTreeConformance : public ::testing::TestWithParam<Case> {
 protected:
  Random random_{20261117, static_cast<std::uint64_t>(GetParam().labels)};
  ProjectiveTree::Scratch scratch_;  // one for all instances: what is left over must not matter
};

TEST_P(ProjectiveTreeConformance, EveryOperationEqualsEnumeration) {
  for (Index i = 0; i < 40; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const TreeInstance instance = make_small(GetParam(), random_);
    check_conformance(Enumeration<ProjectiveTree>(*instance.tree, instance.outputs), scratch_,
                      random_);
    if (HasFailure()) return;
  }
}

// Six words, at temperatures from nearly uniform to nearly one tree alone.
TEST_P(ProjectiveTreeConformance, SixWordsAtAllTemperatures) {
  const TreeInstance instance =
      make_tree(GetParam().labels && !GetParam().missing ? 4 : 6, GetParam(), random_);
  ASSERT_GT(instance.outputs.size(), 20u);
  const Enumeration<ProjectiveTree> all(*instance.tree, instance.outputs);
  for (const double beta : {0.01, 0.1, 1.0, 10.0, 100.0, 1000.0}) {
    SCOPED_TRACE(beta);
    std::vector<double> s = draw_scores(Scores::kSmall, instance.tree->num_parts(), random_);
    for (double& score : s) score *= beta;
    check_maximize(all, s, scratch_);
    check_k_best(all, s, 100, scratch_);
    check_k_best(all, s, instance.outputs.size() + 1, scratch_);
    check_sums(all, s, scratch_);
    check_samples(all, s, 1000, random_, scratch_);
  }
}

TEST_P(ProjectiveTreeConformance, MarginalsAreTheGradientOfLogPartition) {
  for (Index i = 0; i < 15; ++i) {
    const TreeInstance instance = make_small(GetParam(), random_);
    check_gradient(*instance.tree, draw_scores(Scores::kSmall, instance.tree->num_parts(), random_),
                   scratch_);
    if (HasFailure()) return;
  }
}

TEST_P(ProjectiveTreeConformance, SamplesHaveTheirProbabilities) {
  for (Index i = 0; i < 8; ++i) {
    const TreeInstance instance = make_small(GetParam(), random_);
    if (instance.outputs.empty()) continue;
    for (const Scores kind : {Scores::kSmall, Scores::kMixed}) {
      check_samples(Enumeration<ProjectiveTree>(*instance.tree, instance.outputs),
                    draw_scores(kind, instance.tree->num_parts(), random_), 2000, random_,
                    scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(ProjectiveTreeConformance, LinearProgramHasTheSameMaximum) {
  for (Index i = 0; i < 15; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const TreeInstance instance = make_small(GetParam(), random_);
    const Enumeration<ProjectiveTree> all(*instance.tree, instance.outputs);
    for (const Scores kind : {Scores::kSmall, Scores::kLarge, Scores::kTies}) {
      check_linear_program(all, draw_scores(kind, instance.tree->num_parts(), random_), scratch_);
    }
    if (i < 3) check_outputs_are_feasible(all);
    if (HasFailure()) return;
  }
}

TEST_P(ProjectiveTreeConformance, ProjectionsAreNearest) {
  for (Index i = 0; i < 25; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const TreeInstance instance = make_small(GetParam(), random_);
    const ProjectiveTree& tree = *instance.tree;
    std::vector<double> v(tree.num_parts()), z(tree.num_parts());
    if (instance.outputs.empty()) {
      EXPECT_EQ(tree.project(v, scratch_, z).status, ProjectionStatus::kEmpty);
      EXPECT_EQ(z, std::vector<double>(z.size(), 0.0));
      continue;
    }
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed}) {
      v = draw_scores(kind, tree.num_parts(), random_);
      EXPECT_EQ(tree.project(v, scratch_, z).status, ProjectionStatus::kOptimal);
      check_project(tree, v, scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(ProjectiveTreeConformance, LegalIsWhatTheDefinitionSays) {
  for (Index i = 0; i < 10; ++i) {
    const TreeInstance instance = make_tree(1 + random_.below(4), GetParam(), random_);
    const std::set<Output> listed(instance.outputs.begin(), instance.outputs.end());
    for_each_choice(*instance.arcs, [&](const Output& y) {
      EXPECT_EQ(instance.tree->legal(y), listed.count(y) == 1);
    });
    EXPECT_FALSE(instance.tree->legal({}));
    if (listed.empty()) continue;
    Output y = instance.outputs[0];
    y[0] = static_cast<std::uint32_t>(instance.arcs->size());
    EXPECT_FALSE(instance.tree->legal(y));
    y = instance.outputs[0];
    y.push_back(y[0]);
    EXPECT_FALSE(instance.tree->legal(y));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProjectiveTreeConformance, ::testing::ValuesIn(all_cases()), name_of);

DependencyArcs complete_arcs(Index words) {
  Random random(0);
  return *make_arcs(words, {Roots::kAny, false, false}, random);
}

// log (n over k).
double log_choose(Index n, Index k) {
  const auto log_factorial = [](Index m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// There are (3n over n) / (2n + 1) of them, and (3n − 2 over n − 1) / n with one root: ternary
// trees, and pairs of them.
TEST(ProjectiveTree, ThereAreAsManyAsThereAreTernaryTrees) {
  ProjectiveTree::Scratch scratch;
  for (const Index n : {Index{1}, Index{2}, Index{3}, Index{7}, Index{40}, Index{90}}) {
    const DependencyArcs arcs = complete_arcs(n);
    const std::vector<double> s(arcs.size(), 0.0);
    const double count = static_cast<double>(n);
    const double any = log_choose(3 * n, n) - std::log(2 * count + 1);
    const double one = log_choose(3 * n - 2, n - 1) - std::log(count);
    const ProjectiveTree all(arcs, Roots::kAny), single(arcs, Roots::kOne);
    EXPECT_NEAR(all.log_partition(s, scratch), any, 1e-10 * (1 + any));
    EXPECT_NEAR(all.entropy(s, scratch), any, 1e-10 * (1 + any));
    EXPECT_NEAR(single.log_partition(s, scratch), one, 1e-10 * (1 + one));
    EXPECT_NEAR(single.entropy(s, scratch), one, 1e-10 * (1 + one));
  }
  const DependencyArcs seven = complete_arcs(7);
  std::vector<ScoredOutput<Output>> best;
  ProjectiveTree(seven, Roots::kAny)
      .k_best(std::vector<double>(seven.size(), 0.0), 100000, scratch, best);
  EXPECT_EQ(best.size(), 7752u);
  std::set<Output> distinct;
  for (const auto& [output, score] : best) distinct.insert(output);
  EXPECT_EQ(distinct.size(), 7752u);
}

TEST(ProjectiveTree, CrossingArcsAreNotPredictedEvenIfTheyScoreBest) {
  // 2 → 4 crosses 3 → 1; the best trees without one of them remain.
  const DependencyArcs arcs = complete_arcs(4);
  const ProjectiveTree tree(arcs, Roots::kOne);
  std::vector<double> s(arcs.size(), 0.0);
  for (Index p = 0; p < s.size(); ++p) {
    if (arcs.head(p) == 2 && arcs.modifier(p) == 4) s[p] = 5;
    if (arcs.head(p) == 3 && arcs.modifier(p) == 1) s[p] = 4;
  }
  ProjectiveTree::Scratch scratch;
  Output y;
  EXPECT_EQ(tree.maximize(s, scratch, y), 5.0);
  EXPECT_EQ(arcs.head(y[3]), 2u);
}

TEST(ProjectiveTree, TiesGoToSmallPositionsAndTheFirstLabel) {
  const std::vector<DependencyArc> list = {{0, 1}, {0, 1}, {2, 1}, {2, 1}, {0, 2}, {0, 2}, {1, 2}};
  const DependencyArcs arcs(2, list);
  ProjectiveTree::Scratch scratch;
  Output y;
  const std::vector<double> s(arcs.size(), 0.0);
  for (const Roots roots : {Roots::kAny, Roots::kOne}) {
    const ProjectiveTree tree(arcs, roots);
    EXPECT_EQ(tree.maximize(s, scratch, y), 0.0);
    EXPECT_EQ(y, (Output{0, 6}));
  }
}

TEST(ProjectiveTree, OneRootIsOne) {
  const DependencyArcs arcs = complete_arcs(3);
  ProjectiveTree::Scratch scratch;
  std::vector<double> s(arcs.size()), marginals(arcs.size());
  for (Index p = 0; p < s.size(); ++p) s[p] = arcs.head(p) == 0 ? 10 : 0;
  Output y;
  EXPECT_EQ(ProjectiveTree(arcs, Roots::kAny).maximize(s, scratch, y), 30.0);
  const ProjectiveTree single(arcs, Roots::kOne);
  EXPECT_EQ(single.maximize(s, scratch, y), 10.0);
  single.log_partition(s, scratch, marginals);
  double at_root = 0;
  for (Index p = 0; p < s.size(); ++p) at_root += arcs.head(p) == 0 ? marginals[p] : 0;
  EXPECT_NEAR(at_root, 1, 1e-14);
}

TEST(ProjectiveTree, NoTreeWhereAWordHasNoArcOrAllArcsCross) {
  const std::vector<std::vector<DependencyArc>> lists = {
      {{0, 1}, {1, 3}},          // word 2 has no arc
      {{2, 1}, {1, 2}, {1, 3}},  // nothing hangs on the root
      {{3, 1}, {0, 2}, {0, 3}},  // 0 → 2 crosses 3 → 1
  };
  ProjectiveTree::Scratch scratch;
  for (const std::vector<DependencyArc>& list : lists) {
    const DependencyArcs arcs(3, list);
    const ProjectiveTree tree(arcs, Roots::kAny);
    const Enumeration<ProjectiveTree> all(tree, {});
    Random random(1);
    check_conformance(all, scratch, random);
    check_linear_program(all, std::vector<double>(arcs.size(), 1.0), scratch);
  }
}

TEST(ProjectiveTree, LongSentences) {
  constexpr Index kWords = 150;  // more than fold() keeps on the stack
  const DependencyArcs arcs = complete_arcs(kWords);
  ProjectiveTree::Scratch scratch;
  Random random(5);
  for (const Roots roots : {Roots::kAny, Roots::kOne}) {
    const ProjectiveTree tree(arcs, roots);
    const std::vector<double> s = draw_scores(Scores::kSmall, tree.num_parts(), random);
    std::vector<ScoredOutput<Output>> best;
    tree.k_best(s, 200, scratch, best);
    ASSERT_EQ(best.size(), 200u);
    std::set<Output> distinct;
    for (Index i = 0; i < best.size(); ++i) {
      EXPECT_TRUE(tree.legal(best[i].output));
      EXPECT_EQ(tree.score(s, best[i].output), best[i].score);
      EXPECT_TRUE(i == 0 || best[i].score <= best[i - 1].score);
      distinct.insert(best[i].output);
    }
    EXPECT_EQ(distinct.size(), best.size());
    Output y;
    EXPECT_EQ(tree.maximize(s, scratch, y), best[0].score);
    EXPECT_EQ(y, best[0].output);
    std::vector<double> marginals(tree.num_parts());
    EXPECT_GT(tree.log_partition(s, scratch, marginals), best[0].score);
    for (Index m = 1; m <= kWords; ++m) {
      double sum = 0;
      for (Index p = arcs.begin(m); p < arcs.begin(m + 1); ++p) sum += marginals[p];
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    tree.sample(s, random, scratch, y);
    EXPECT_TRUE(tree.legal(y));
  }
}

// Every tree has one arc of each word, and the scores are such that sums with the offsets are
// exact.
TEST(ProjectiveTree, OffsetsOfAWordsArcsChangeNothing) {
  const DependencyArcs arcs = complete_arcs(12);
  const ProjectiveTree tree(arcs, Roots::kOne);
  ProjectiveTree::Scratch scratch;
  Random random(6);
  std::vector<double> s(arcs.size()), shifted(arcs.size()), z(arcs.size()), again(arcs.size());
  for (Index p = 0; p < s.size(); ++p) {
    s[p] = static_cast<double>(random.below(4096)) / 1024;
    const double sign = arcs.modifier(p) % 2 == 0 ? 1 : -1;
    shifted[p] = s[p] + sign * 1e9 * arcs.modifier(p);
  }
  tree.log_partition(s, scratch, z);
  tree.log_partition(shifted, scratch, again);
  EXPECT_EQ(z, again);
  EXPECT_EQ(tree.entropy(s, scratch), tree.entropy(shifted, scratch));
}

// Nearly all the mass is on one tree: the entropy is small, and right to many digits all the same.
TEST(ProjectiveTree, SmallEntropiesKeepTheirDigits) {
  const std::vector<DependencyArc> list = {{0, 1}, {2, 1}, {0, 2}, {1, 2}};
  const DependencyArcs arcs(2, list);
  const ProjectiveTree tree(arcs, Roots::kOne);  // 0 → 1 → 2 or 0 → 2 → 1
  ProjectiveTree::Scratch scratch;
  for (const double margin : {1.0, 30.0, 300.0, 700.0}) {
    const std::vector<double> s = {margin / 2, 0, 0, margin / 2};
    const double q = std::exp(-margin);  // odds
    const double expected = std::log1p(q) + q / (1 + q) * margin;
    EXPECT_NEAR(tree.entropy(s, scratch), expected, 1e-13 * expected);
  }
}

TEST(ProjectiveTree, ProjectionsDoNotDependOnWhatCameBefore) {
  Random random(7);
  ProjectiveTree::Scratch used;
  for (Index i = 0; i < 30; ++i) {
    const TreeInstance instance = make_small({Roots::kOne, true, true}, random);
    const std::vector<double> v = draw_scores(Scores::kSmall, instance.tree->num_parts(), random);
    std::vector<double> z(v.size()), again(v.size());
    ProjectiveTree::Scratch fresh;
    instance.tree->project(v, fresh, z);
    instance.tree->project(v, used, again);
    EXPECT_EQ(z, again);
  }
}

// v close to the polytope, as after a step of a learner, and further away.
TEST(ProjectiveTree, LongerSentencesProjectFromNearAndFar) {
  const DependencyArcs arcs = complete_arcs(7);
  const ProjectiveTree tree(arcs, Roots::kOne);
  ProjectiveTree::Scratch scratch;
  Random random(8);
  std::vector<double> v(tree.num_parts()), z(tree.num_parts());
  for (const double step : {1e-4, 1e-2, 1.0, 1e2}) {
    SCOPED_TRACE(step);
    tree.log_partition(draw_scores(Scores::kSmall, tree.num_parts(), random), scratch, v);
    for (double& value : v) value += step * random.normal();
    EXPECT_EQ(tree.project(v, scratch, z).status, ProjectionStatus::kOptimal);
    check_project(tree, v, scratch);
  }
}

}  // namespace
}  // namespace trellis::projective_tree_test
