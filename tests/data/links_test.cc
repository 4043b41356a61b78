#include "trellis/data/links.h"

#include <gtest/gtest.h>

#include <vector>

namespace trellis {
namespace {

TEST(Links, AreSetsInTheOrderOfTheirSourceWords) {
  Links links = {{2, 0}, {0, 3}, {2, 0}, {0, 1}};
  sort_links(links);
  EXPECT_EQ(links, (Links{{0, 1}, {0, 3}, {2, 0}}));
  EXPECT_TRUE(contains(links, {0, 3}));
  EXPECT_FALSE(contains(links, {3, 0}));
  EXPECT_EQ(swapped(links), (Links{{0, 2}, {1, 0}, {3, 0}}));
  EXPECT_EQ(swapped(swapped(links)), links);
}

TEST(Links, OfAThresholdIncludeIt) {
  const std::vector<ScoredLink> scored = {{{1, 0}, 0.5}, {{0, 0}, 0.75}, {{0, 1}, 0.25}};
  EXPECT_EQ(links_at(scored, 0.5), (Links{{0, 0}, {1, 0}}));
  EXPECT_EQ(links_at(scored, 0.51), (Links{{0, 0}}));
  EXPECT_EQ(links_at(scored, 0), (Links{{0, 0}, {0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace trellis
