// Trees as a model keeps them, and trees that are none.
#include "trellis/tasks/rank/trees.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace trellis::rank {
namespace {

// 0 ≤ 1 ? (1 ≤ 2 ? leaf 0 : leaf 2) : leaf 1, and a tree of one node.
Trees two_trees() {
  Trees trees;
  trees.begin = {0, 2, 3};
  trees.columns = {0, 1, 1};
  trees.thresholds = {1, 2, 0};
  trees.children = {1, ~1, ~0, ~2, ~1, ~0};
  trees.gains = {3, 1, 2};
  return trees;
}

TEST(Trees, LeadDocumentsToTheirLeaves) {
  const Trees trees = two_trees();
  ASSERT_TRUE(trees.valid(2));
  EXPECT_EQ(trees.num_leaves(), 5);
  EXPECT_EQ(trees.leaf(0, std::vector<float>{1, 2}), 0);
  EXPECT_EQ(trees.leaf(0, std::vector<float>{1.5, 2}), 1);
  EXPECT_EQ(trees.leaf(0, std::vector<float>{0, 3}), 2);
  EXPECT_EQ(trees.leaf(1, std::vector<float>{0, -1}), 4);
  EXPECT_EQ(trees.leaf(1, std::vector<float>{0, 1}), 3);
  EXPECT_EQ(trees.gains_by_column(2), (std::vector<double>{3, 3}));
}

TEST(Trees, SayWhatALeafHasInCommon) {
  const std::vector<std::uint32_t> names = {7, 30};
  EXPECT_EQ(two_trees().path_to(0, names), "7 <= 1, 30 <= 2");
  EXPECT_EQ(two_trees().path_to(1, names), "7 > 1");
  EXPECT_EQ(two_trees().path_to(2, names), "7 <= 1, 30 > 2");
  EXPECT_EQ(two_trees().path_to(3, names), "30 > 0");
  EXPECT_EQ(two_trees().path_to(4, names), "30 <= 0");
}

TEST(Trees, AppendKeepsBoth) {
  Trees trees = two_trees();
  trees.append(two_trees());
  EXPECT_TRUE(trees.valid(2));
  EXPECT_EQ(trees.begin, (std::vector<std::uint32_t>{0, 2, 3, 5, 6}));
  EXPECT_EQ(trees.leaf(2, std::vector<float>{0, 3}), 7);
}

TEST(Trees, KnowWhatIsNoTree) {
  const std::vector<std::function<void(Trees&)>> faults = {
      [](Trees& t) { t.begin.clear(); },
      [](Trees& t) {
        t.begin = {0, 2, 2, 3};
      },  // a tree without nodes
      [](Trees& t) {
        t.begin = {0, 2, 4};
      },  // beyond the nodes
      [](Trees& t) {
        t.begin = {1, 2, 3};
      },  //
      [](Trees& t) {
        t.begin = {0, 9, 3};
      },                                              //
      [](Trees& t) { t.columns[1] = 2; },             // a column that there is not
      [](Trees& t) { t.thresholds[0] = NAN; },        //
      [](Trees& t) { t.gains[2] = INFINITY; },        //
      [](Trees& t) { t.gains.pop_back(); },           //
      [](Trees& t) { t.thresholds.pop_back(); },      //
      [](Trees& t) { t.children.pop_back(); },        //
      [](Trees& t) { t.children[0] = 0; },            // back to the root
      [](Trees& t) { t.children[2] = 1; },            // to itself
      [](Trees& t) { t.children[0] = 2; },            // into another tree
      [](Trees& t) { t.children[1] = 1; },            // twice to one node
      [](Trees& t) { t.children[2] = ~1; },           // twice to one leaf
      [](Trees& t) { t.children[2] = ~3; },           // a leaf that there is not
      [](Trees& t) { t.children[2] = ~0x7fffffff; },  //
      [](Trees& t) { t.children[0] = 0x7fffffff; },   //
  };
  for (Index k = 0; k < faults.size(); ++k) {
    Trees trees = two_trees();
    faults[k](trees);
    EXPECT_FALSE(trees.valid(2)) << k;
  }
}

}  // namespace
}  // namespace trellis::rank
