#include "trellis/solve/forests/packed_forest.h"

#include <gtest/gtest.h>

#include <vector>

#include "trellis/base/error.h"

namespace trellis::packed_forest_test {
namespace {

using Tails = PackedForest::Tails;

// Two words, each a node; a node of both, in two ways; a node above that.
PackedForest make_small() {
  PackedForest forest;
  forest.add_node();
  forest.add_edge();
  forest.add_node();
  forest.add_edge();
  forest.add_node();
  forest.add_edge(0, 1);
  forest.add_edge(1, 0);
  forest.add_node();
  forest.add_edge(2);
  return forest;
}

TEST(PackedForest, HasWhatWasAdded) {
  const PackedForest forest = make_small();
  forest.validate();
  EXPECT_EQ(forest.num_nodes(), 4u);
  EXPECT_EQ(forest.num_edges(), 5u);
  EXPECT_EQ(forest.num_parts(), 9u);
  EXPECT_EQ(forest.begin(2), 2u);
  EXPECT_EQ(forest.end(2), 4u);
  EXPECT_EQ(forest.tails(0).left, kNoNode);
  EXPECT_EQ(forest.tails(0).right, kNoNode);
  EXPECT_EQ(forest.tails(3).left, 1u);
  EXPECT_EQ(forest.tails(3).right, 0u);
  EXPECT_EQ(forest.tails(4).left, 2u);
  EXPECT_EQ(forest.tails(4).right, kNoNode);
}

TEST(PackedForest, HeadsSkipNodesWithoutEdges) {
  PackedForest forest;
  forest.add_node();
  forest.add_node();
  forest.add_edge();
  forest.add_node();
  forest.add_node();
  forest.add_edge(1);
  forest.add_edge(0);
  EXPECT_EQ(forest.head(0), 1u);
  EXPECT_EQ(forest.head(1), 3u);
  EXPECT_EQ(forest.head(2), 3u);
}

TEST(PackedForest, NoNodeOfAStageIsATailOfAnother) {
  const PackedForest forest = make_small();
  EXPECT_EQ(std::vector<std::uint32_t>(forest.stages().begin(), forest.stages().end()),
            (std::vector<std::uint32_t>{0, 2, 3}));
}

TEST(PackedForest, FlatArraysMakeTheSame) {
  const PackedForest made = make_small();
  const std::vector<std::uint32_t> begin(made.begins().begin(), made.begins().end());
  std::vector<Tails> tails;
  for (Index e = 0; e < made.num_edges(); ++e) tails.push_back(made.tails(e));
  const PackedForest read = PackedForest::from_arrays(begin, tails);
  ASSERT_EQ(read.num_nodes(), made.num_nodes());
  ASSERT_EQ(read.num_edges(), made.num_edges());
  for (Index e = 0; e < made.num_edges(); ++e) {
    EXPECT_EQ(read.tails(e).left, made.tails(e).left);
    EXPECT_EQ(read.tails(e).right, made.tails(e).right);
  }
  EXPECT_EQ(std::vector<std::uint32_t>(read.stages().begin(), read.stages().end()),
            std::vector<std::uint32_t>(made.stages().begin(), made.stages().end()));
}

TEST(PackedForest, ClearedItIsAsNew) {
  PackedForest forest = make_small();
  forest.clear();
  EXPECT_EQ(forest.num_parts(), 0u);
  EXPECT_EQ(forest.add_node(), 0u);
  forest.add_edge();
  forest.validate();
  EXPECT_EQ(forest.num_parts(), 2u);
  EXPECT_EQ(forest.stages().size(), 1u);
}

TEST(PackedForest, WhatIsNoForestIsRefused) {
  const auto refused = [](std::vector<std::uint32_t> begin, std::vector<Tails> tails) {
    EXPECT_THROW(PackedForest::from_arrays(begin, tails), UsageError);
  };
  refused({}, {});
  refused({1}, {{}});
  refused({0, 2}, {{}});                   // an edge that is not there
  refused({0, 2, 1, 3}, {{}, {}, {}});     // decreasing
  refused({0, 1}, {{0, kNoNode}});         // its own tail
  refused({0, 1, 2}, {{1, kNoNode}, {}});  // from what comes later
  refused({0, 1, 2}, {{}, {0, 7}});        // from what is not there
  refused({0, 1, 2}, {{}, {0, 0}});        // a node twice
  refused({0, 1, 2}, {{}, {kNoNode, 0}});  // a right tail alone
  EXPECT_EQ(PackedForest::from_arrays(std::vector<std::uint32_t>{0}, {}).num_nodes(), 0u);
}

}  // namespace
}  // namespace trellis::packed_forest_test
