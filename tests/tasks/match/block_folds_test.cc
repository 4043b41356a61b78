// Folds of pairs of shapes: neighbours are never on both sides.
#include "trellis/tasks/match/block_folds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::match {
namespace {

std::shared_ptr<const PointSet> shape(const std::string& name) {
  PointSet set;
  set.name = name;
  return std::make_shared<const PointSet>(std::move(set));
}

// Of frames, by number.
std::vector<MatchExample> pairs(const std::vector<std::pair<int, int>>& frames) {
  std::vector<MatchExample> examples;
  for (const auto& [left, right] : frames) {
    MatchExample example;
    example.left = shape(fmt::format("walk.tsv#{}", left));
    example.right = shape(fmt::format("walk.tsv#{}", right));
    example.name = example.left->name + " " + example.right->name;
    examples.push_back(std::move(example));
  }
  return examples;
}

std::set<std::string> shapes_of(const std::vector<MatchExample>& examples,
                                const std::vector<Index>& chosen) {
  std::set<std::string> names;
  for (const Index i : chosen) {
    names.insert(examples[i].left->name);
    names.insert(examples[i].right->name);
  }
  return names;
}

RC_GTEST_PROP(BlockFolds, ShowNoShapeOfTheirBlockBeforeTheyAreJudgedByIt, ()) {
  const int distance = *rc::gen::inRange(1, 5);
  // So many that every block leaves pairs to learn from.
  const int frames = *rc::gen::inRange(8 + 3 * distance, 44);
  std::vector<std::pair<int, int>> list;
  for (int t = 0; t + distance < frames; ++t) list.emplace_back(t, t + distance);
  std::vector<MatchExample> examples = pairs(list);
  const Index folds = *rc::gen::inRange<Index>(2, 5);
  std::set<Index> judged;
  for (const BlockFold& fold : block_folds(examples, folds)) {
    RC_ASSERT(!fold.held_out.empty());
    RC_ASSERT(!fold.rest.empty());
    RC_ASSERT(fold.held_out.size() + fold.rest.size() == examples.size());
    RC_ASSERT(std::is_sorted(fold.held_out.begin(), fold.held_out.end()));
    judged.insert(fold.held_out.begin(), fold.held_out.end());
    // What training does not see is a run of frames.
    const auto seen = shapes_of(examples, fold.rest);
    int first = frames;
    int last = -1;
    int unseen = 0;
    for (int t = 0; t < frames; ++t) {
      if (seen.count(fmt::format("walk.tsv#{}", t)) != 0) continue;
      first = std::min(first, t);
      last = std::max(last, t);
      ++unseen;
    }
    RC_ASSERT(unseen >= frames / static_cast<int>(folds));
    // Every pair that is judged has a shape that training does not.
    for (const Index i : fold.held_out) {
      RC_ASSERT(seen.count(examples[i].left->name) == 0 ||
                seen.count(examples[i].right->name) == 0);
    }
  }
  RC_ASSERT(judged.size() == examples.size());
}

TEST(BlockFolds, AreRunsOfFrames) {
  std::vector<std::pair<int, int>> list;
  for (int t = 0; t < 12; ++t) list.emplace_back(t, t);  // each with itself: no pair crosses
  std::reverse(list.begin(), list.end());                // the order of the list does not matter
  const auto examples = pairs(list);
  const auto folds = block_folds(examples, 3);
  ASSERT_EQ(folds.size(), 3U);
  for (Index k = 0; k < 3; ++k) {
    std::set<std::string> block;
    for (int t = 0; t < 4; ++t) block.insert(fmt::format("walk.tsv#{}", 4 * k + t));
    EXPECT_EQ(shapes_of(examples, folds[k].held_out), block);
  }
}

TEST(BlockFolds, HoldOutAPairBetweenTwoBlocksWithBoth) {
  // Blocks {0, 1}, {2, 3}, {4, 5}.
  const auto examples = pairs({{0, 1}, {1, 2}, {2, 3}, {4, 5}, {0, 5}});
  const auto folds = block_folds(examples, 3);
  EXPECT_EQ(folds[0].held_out, (std::vector<Index>{0, 1, 4}));
  EXPECT_EQ(folds[1].held_out, (std::vector<Index>{1, 2}));
  EXPECT_EQ(folds[2].held_out, (std::vector<Index>{3, 4}));
  EXPECT_EQ(folds[2].rest, (std::vector<Index>{0, 1, 2}));
}

TEST(BlockFolds, CutThePairsWhereAShapeIsInAllOfThem) {
  const auto examples = pairs({{0, 10}, {0, 9}, {0, 8}, {0, 7}});
  const auto folds = block_folds(examples, 2);
  EXPECT_EQ(folds[0].held_out, (std::vector<Index>{2, 3}));  // 7 and 8
  EXPECT_EQ(folds[0].rest, (std::vector<Index>{0, 1}));
  EXPECT_EQ(folds[1].held_out, (std::vector<Index>{0, 1}));
}

TEST(BlockFolds, CutGraphsAsTheyStand) {
  const std::vector<MatchExample> graphs(7);
  const auto folds = block_folds(graphs, 3);
  EXPECT_EQ(folds[0].held_out, (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(folds[1].held_out, (std::vector<Index>{3, 4}));
  EXPECT_EQ(folds[2].held_out, (std::vector<Index>{5, 6}));
  EXPECT_EQ(folds[2].rest, (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_THROW(block_folds(graphs, 8), UsageError);
  EXPECT_THROW(block_folds(graphs, 0), UsageError);
}

TEST(BlockFolds, OrderNamesByTheirNumbers) {
  const std::vector<std::string> order = {
      "",       "a",       "a#2",    "a#09", "a#9",
      "a#10",   "a#10b",   "a#10b3", "a#99", "a#123456789012345678901",
      "a2.txt", "a10.txt", "b"};
  for (Index i = 0; i < order.size(); ++i) {
    for (Index j = 0; j < order.size(); ++j) {
      EXPECT_EQ(precedes(order[i], order[j]), i < j) << order[i] << " " << order[j];
    }
  }
}

}  // namespace
}  // namespace trellis::match
