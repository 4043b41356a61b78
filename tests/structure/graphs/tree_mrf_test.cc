#include "trellis/structure/graphs/tree_mrf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/structure/structure_conformance.h"
#include "trellis/base/error.h"

namespace trellis::tree_mrf_test {
namespace {

using namespace conformance;
using Edge = TreeMrfLayout::Edge;

static_assert(KBest<TreeMrf> && Summer<TreeMrf> && Sampler<TreeMrf> && Projector<TreeMrf>);

enum class Shape { kRandom, kChain, kStar, kIsolated, kSingle };

struct Case {
  Shape shape;
  bool tied;
  bool restricted;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const char* shapes[] = {"Random", "Chain", "Star", "Isolated", "Single"};
  std::string name = shapes[static_cast<int>(info.param.shape)];
  if (info.param.tied) name += "Tied";
  if (info.param.restricted) name += "Restricted";
  return name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Shape shape :
       {Shape::kRandom, Shape::kChain, Shape::kStar, Shape::kIsolated, Shape::kSingle}) {
    for (const bool tied : {false, true}) {
      for (const bool restricted : {false, true}) cases.push_back({shape, tied, restricted});
    }
  }
  return cases;
}

// A structure with what it refers to.
struct TreeInstance {
  std::unique_ptr<TreeMrfLayout> layout;
  std::vector<std::uint8_t> allowed;
  std::unique_ptr<TreeMrf> tree;
  std::vector<std::vector<Label>> outputs;  // all that is legal
};

// Nodes in random order, each below an earlier one or none; edges point either way.
std::vector<Edge> random_edges(Shape shape, Index nodes, Random& random) {
  const std::vector<Index> order = random_permutation(nodes, Random(random.next()));
  std::vector<Edge> edges;
  for (Index i = 1; i < nodes; ++i) {
    Index above = random.below(i);
    if (shape == Shape::kChain) above = i - 1;
    if (shape == Shape::kStar) above = 0;
    if (shape == Shape::kIsolated || (shape == Shape::kRandom && random.below(4) == 0)) continue;
    const Edge edge{order[above], order[i]};
    edges.push_back(random.below(2) == 0 ? edge : Edge{edge.second, edge.first});
  }
  return edges;
}

// Groups of equal size get a common number, some of them by chance; numbers without gaps.
std::vector<Index> random_tables(const std::vector<std::pair<Index, Index>>& sizes,
                                 Random& random) {
  std::vector<Index> tables;
  Index next = 0;
  for (Index i = 0; i < sizes.size(); ++i) {
    Index table = next;
    for (Index k = 0; k < i; ++k) {
      if (sizes[k] == sizes[i] && random.below(2) == 0) table = tables[k];
    }
    if (table == next) ++next;
    tables.push_back(table);
  }
  return tables;
}

std::vector<std::vector<Label>> all_labelings(const TreeInstance& instance) {
  const TreeMrfLayout& layout = *instance.layout;
  std::vector<std::vector<Label>> all;
  std::vector<Label> y(layout.num_nodes(), 0);
  for (;;) {
    bool legal = true;
    for (Index j = 0; j < y.size() && !instance.allowed.empty(); ++j) {
      legal &= instance.allowed[layout.state_begin(j) + static_cast<Index>(y[j])] != 0;
    }
    if (legal) all.push_back(y);
    Index j = 0;
    while (j < y.size() && static_cast<Index>(y[j]) + 1 == layout.num_labels(j)) y[j++] = 0;
    if (j == y.size()) return all;
    ++y[j];
  }
}

TreeInstance make_tree(const Case& options, Random& random, Index max_nodes = 6) {
  TreeInstance instance;
  const Index nodes = options.shape == Shape::kSingle ? 1 : 1 + random.below(max_nodes);
  std::vector<Index> labels(nodes);
  for (Index& count : labels) count = 1 + random.below(3);
  const std::vector<Edge> edges = random_edges(options.shape, nodes, random);
  std::vector<Index> node_tables, edge_tables;
  if (options.tied) {
    std::vector<std::pair<Index, Index>> node_sizes, edge_sizes;
    for (const Index count : labels) node_sizes.push_back({count, 1});
    for (const Edge& edge : edges) edge_sizes.push_back({labels[edge.first], labels[edge.second]});
    node_tables = random_tables(node_sizes, random);
    edge_tables = random_tables(edge_sizes, random);
  }
  instance.layout =
      std::make_unique<TreeMrfLayout>(std::move(labels), edges, node_tables, edge_tables);
  if (options.restricted) {
    instance.allowed.resize(instance.layout->num_states());
    for (std::uint8_t& flag : instance.allowed) flag = random.below(5) == 0 ? 0 : 1;
  }
  instance.tree = std::make_unique<TreeMrf>(*instance.layout, instance.allowed);
  instance.outputs = all_labelings(instance);
  return instance;
}

class TreeMrfConformance : public testing::TestWithParam<Case> {
 protected:
  Random random_{20240301, static_cast<std::uint64_t>(GetParam().shape)};
  TreeMrf::Scratch scratch_;  // one for all instances: what is left over must not matter
};

TEST_P(TreeMrfConformance, EveryOperationEqualsEnumeration) {
  for (Index i = 0; i < 60; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const TreeInstance instance = make_tree(GetParam(), random_);
    check_conformance(Enumeration<TreeMrf>(*instance.tree, instance.outputs), scratch_, random_);
    if (HasFailure()) return;
  }
}

TEST_P(TreeMrfConformance, MarginalsAreTheGradientOfLogPartition) {
  for (Index i = 0; i < 15; ++i) {
    const TreeInstance instance = make_tree(GetParam(), random_);
    check_gradient(*instance.tree, draw_scores(Scores::kSmall, instance.tree->num_parts(), random_),
                   scratch_);
    if (HasFailure()) return;
  }
}

TEST_P(TreeMrfConformance, SamplesHaveTheirProbabilities) {
  for (Index i = 0; i < 8; ++i) {
    const TreeInstance instance = make_tree(GetParam(), random_, 5);
    if (instance.outputs.empty()) continue;
    for (const Scores kind : {Scores::kSmall, Scores::kMixed}) {
      check_samples(Enumeration<TreeMrf>(*instance.tree, instance.outputs),
                    draw_scores(kind, instance.tree->num_parts(), random_), 2000, random_,
                    scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(TreeMrfConformance, LinearProgramHasTheSameMaximum) {
  for (Index i = 0; i < 15; ++i) {
    const TreeInstance instance = make_tree(GetParam(), random_, 5);
    const Enumeration<TreeMrf> all(*instance.tree, instance.outputs);
    for (const Scores kind : {Scores::kSmall, Scores::kLarge, Scores::kTies}) {
      check_linear_program(all, draw_scores(kind, instance.tree->num_parts(), random_), scratch_);
    }
    if (i < 3) check_outputs_are_feasible(all);
    if (HasFailure()) return;
  }
}

TEST_P(TreeMrfConformance, ProjectionsAreNearest) {
  for (Index i = 0; i < 25; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    const TreeInstance instance = make_tree(GetParam(), random_);
    const TreeMrf& tree = *instance.tree;
    std::vector<double> v(tree.num_parts()), z(tree.num_parts());
    if (instance.outputs.empty()) {
      EXPECT_EQ(tree.project(v, scratch_, z).status, ProjectionStatus::kEmpty);
      EXPECT_EQ(z, std::vector<double>(z.size(), 0.0));
      continue;
    }
    for (const Scores kind : {Scores::kSmall, Scores::kTies, Scores::kMixed, Scores::kLarge}) {
      v = draw_scores(kind, tree.num_parts(), random_);
      EXPECT_EQ(tree.project(v, scratch_, z).status, ProjectionStatus::kOptimal);
      check_project(tree, v, scratch_);
    }
    if (HasFailure()) return;
  }
}

TEST_P(TreeMrfConformance, LegalIsWhatTheFlagsSay) {
  for (Index i = 0; i < 20; ++i) {
    const TreeInstance instance = make_tree(GetParam(), random_);
    TreeInstance everything;
    everything.layout = std::make_unique<TreeMrfLayout>(*instance.layout);
    for (const std::vector<Label>& y : all_labelings(everything)) {
      const bool listed =
          std::find(instance.outputs.begin(), instance.outputs.end(), y) != instance.outputs.end();
      EXPECT_EQ(instance.tree->legal(y), listed);
    }
    EXPECT_FALSE(instance.tree->legal({}));
    std::vector<Label> y(instance.layout->num_nodes(), 0);
    y.back() = static_cast<Label>(instance.layout->num_labels(y.size() - 1));
    EXPECT_FALSE(instance.tree->legal(y));
    y.back() = kNoLabel;
    EXPECT_FALSE(instance.tree->legal(y));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TreeMrfConformance, testing::ValuesIn(all_cases()), name_of);

TEST(TreeMrf, PartsAreNodesThenEdgesByRows) {
  const TreeMrfLayout layout({2, 3}, {{1, 0}});
  EXPECT_EQ(layout.num_parts(), 2u + 3u + 6u);
  EXPECT_EQ(layout.node_part(1, 2), 4u);
  EXPECT_EQ(layout.edge_part(0, 2, 1), 5u + 2u * 2u + 1u);
  const TreeMrf tree(layout);
  std::vector<double> z(tree.num_parts());
  tree.indicator({1, 2}, z);
  EXPECT_EQ(z, (std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1}));
}

TEST(TreeMrf, TiedPartsCount) {
  const TreeMrfLayout layout({2, 2, 2}, {{0, 1}, {1, 2}}, {0, 0, 0}, {0, 0});
  const TreeMrf tree(layout);
  EXPECT_EQ(tree.num_parts(), 2u + 4u);
  EXPECT_FALSE(tree.faces_by_zeros());
  std::vector<double> z(6);
  tree.indicator({1, 1, 0}, z);
  EXPECT_EQ(z, (std::vector<double>{1, 2, 0, 0, 1, 1}));
}

TEST(TreeMrf, TiesGoToTheSmallestLabelsFromTheRootDown) {
  const TreeMrfLayout layout({2, 2, 2}, {{2, 0}, {0, 1}});
  const TreeMrf tree(layout);
  TreeMrf::Scratch scratch;
  std::vector<Label> y;
  std::vector<double> s(tree.num_parts(), 0.0);
  EXPECT_EQ(tree.maximize(s, scratch, y), 0.0);
  EXPECT_EQ(y, (std::vector<Label>{0, 0, 0}));
  s[layout.edge_part(1, 0, 1)] = s[layout.edge_part(1, 1, 0)] = 1;  // y_0 ≠ y_1
  EXPECT_EQ(tree.maximize(s, scratch, y), 1.0);
  EXPECT_EQ(y, (std::vector<Label>{0, 1, 0}));
}

// The order of additions leaves at most log N sums open, and nothing recurses.
TEST(TreeMrf, LongChainsAndLargeStarsNeedNoStack) {
  constexpr Index kNodes = 20000;
  TreeMrf::Scratch scratch;
  Random random(5);
  for (const bool star : {false, true}) {
    std::vector<Edge> edges;
    for (Index j = 1; j < kNodes; ++j) edges.push_back({star ? 0 : j - 1, j});
    const TreeMrfLayout layout(std::vector<Index>(kNodes, 2), edges);
    const TreeMrf tree(layout);
    const std::vector<double> s = draw_scores(Scores::kSmall, tree.num_parts(), random);
    std::vector<ScoredOutput<std::vector<Label>>> best;
    tree.k_best(s, 20, scratch, best);
    ASSERT_EQ(best.size(), 20u);
    std::vector<Label> y;
    EXPECT_EQ(tree.maximize(s, scratch, y), best[0].score);
    EXPECT_EQ(y, best[0].output);
    for (const auto& [output, score] : best) EXPECT_EQ(tree.score(s, output), score);
    std::vector<double> marginals(tree.num_parts());
    EXPECT_GT(tree.log_partition(s, scratch, marginals), best[0].score);
  }
}

// A perfect binary tree has the most open sums for its size.
TEST(TreeMrf, ScoresOfBinaryTreesHaveTheBitsOfTheMaximum) {
  constexpr Index kNodes = 1023;
  std::vector<Edge> edges;
  for (Index j = 1; j < kNodes; ++j) edges.push_back({(j - 1) / 2, j});
  const TreeMrfLayout layout(std::vector<Index>(kNodes, 3), edges);
  const TreeMrf tree(layout);
  TreeMrf::Scratch scratch;
  Random random(6);
  const std::vector<double> s = draw_scores(Scores::kLarge, tree.num_parts(), random);
  std::vector<Label> y;
  const double best = tree.maximize(s, scratch, y);
  EXPECT_EQ(tree.score(s, y), best);
}

TEST(TreeMrf, ProjectionsDoNotDependOnWhatCameBefore) {
  Random random(7);
  TreeMrf::Scratch used;
  for (Index i = 0; i < 40; ++i) {
    const TreeInstance instance = make_tree({Shape::kRandom, i % 2 == 1, true}, random);
    const std::vector<double> v = draw_scores(Scores::kSmall, instance.tree->num_parts(), random);
    std::vector<double> z(v.size()), again(v.size());
    TreeMrf::Scratch fresh;
    instance.tree->project(v, fresh, z);
    instance.tree->project(v, used, again);
    EXPECT_EQ(z, again);
  }
}

// v close to the polytope, as after a step of a learner, and ever further away.
TEST(TreeMrf, LargerTreesProjectFromNearAndFar) {
  constexpr Index kNodes = 7;
  Random random(8);
  std::vector<Edge> edges;
  for (Index j = 1; j < kNodes; ++j) edges.push_back({random.below(j), j});
  const TreeMrfLayout layout({9, 12, 5, 10, 1, 12, 8}, edges);
  const TreeMrf tree(layout);
  TreeMrf::Scratch scratch;
  std::vector<double> v(tree.num_parts()), z(tree.num_parts());
  for (const double step : {1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6}) {
    SCOPED_TRACE(step);
    tree.log_partition(draw_scores(Scores::kSmall, tree.num_parts(), random), scratch, v);
    for (double& value : v) value += step * random.normal();
    const ProjectionResult result = tree.project(v, scratch, z);
    EXPECT_EQ(result.status, ProjectionStatus::kOptimal);
    EXPECT_LE(result.factorizations, 40u);
    check_project(tree, v, scratch);
  }
}

void expect_refused(const std::string& message, std::vector<Index> labels, std::vector<Edge> edges,
                    std::vector<Index> node_tables = {}, std::vector<Index> edge_tables = {}) {
  try {
    const TreeMrfLayout layout(std::move(labels), std::move(edges), std::move(node_tables),
                               std::move(edge_tables));
    ADD_FAILURE() << "accepted, instead of: " << message;
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(TreeMrfLayout, WhatIsNoForestIsRefused) {
  expect_refused("edge (2, 0) closes a cycle", {2, 2, 2}, {{0, 1}, {1, 2}, {2, 0}});
  expect_refused("edge (1, 1) is a loop", {2, 2}, {{1, 1}});
  expect_refused("edge (0, 1) occurs twice", {2, 2}, {{0, 1}, {1, 0}});
  expect_refused("edge (0, 2) leaves the 2 nodes", {2, 2}, {{0, 2}});
  expect_refused("node 1 has no labels", {2, 0}, {});
  expect_refused("a forest needs a node", {}, {});
}

TEST(TreeMrfLayout, TablesThatDoNotFitAreRefused) {
  expect_refused("node 1 has 3 parts, and its table 0 has 2", {2, 3}, {}, {0, 0});
  expect_refused("edge 1 has 3 rows, and its table 0 has 2", {2, 3, 2}, {{0, 1}, {1, 2}}, {},
                 {0, 0});
  expect_refused("node tables are given for 1 of 2 nodes", {2, 2}, {}, {0});
  expect_refused("node 1 has table 2, and there are at most 2 tables", {2, 2}, {}, {0, 2});
  expect_refused("edge table 0 belongs to no edge", {2, 2, 2}, {{0, 1}, {1, 2}}, {}, {1, 1});
  const TreeMrfLayout layout({2, 2}, {});
  const std::vector<std::uint8_t> flags(3, 1);
  EXPECT_THROW(TreeMrf(layout, flags), UsageError);
}

}  // namespace
}  // namespace trellis::tree_mrf_test
