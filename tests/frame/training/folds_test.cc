#include "trellis/frame/training/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "trellis/base/error.h"

namespace trellis {
namespace {

using Fold = std::vector<Index>;

TEST(Folds, ShareTheExamplesAmongThemEvenly) {
  for (const Index n : {Index{5}, Index{17}, Index{30}}) {
    for (const Index count : {Index{1}, Index{2}, Index{5}}) {
      const std::vector<Fold> folds = deal_folds(n, count, 1);
      ASSERT_EQ(folds.size(), count);
      Fold all;
      for (const Fold& fold : folds) {
        EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
        EXPECT_GE(fold.size(), n / count);
        EXPECT_LE(fold.size(), n / count + 1);
        all.insert(all.end(), fold.begin(), fold.end());
      }
      std::sort(all.begin(), all.end());
      ASSERT_EQ(all.size(), n);
      for (Index i = 0; i < n; ++i) EXPECT_EQ(all[i], i);
    }
  }
}

TEST(Folds, AreDrawnFromTheSeed) {
  EXPECT_EQ(deal_folds(20, 4, 7), deal_folds(20, 4, 7));
  EXPECT_NE(deal_folds(20, 4, 7), deal_folds(20, 4, 8));
}

TEST(Folds, RefuseToBeEmptyOrNone) {
  EXPECT_NO_THROW(deal_folds(4, 4, 1));
  EXPECT_THROW(deal_folds(4, 5, 1), UsageError);
  EXPECT_THROW(deal_folds(4, 0, 1), UsageError);
}

TEST(Folds, WhatIsNotInAFoldIsTheRest) {
  EXPECT_EQ(without(Fold{0, 2, 5}, 6), (Fold{1, 3, 4}));
  EXPECT_EQ(without(Fold{}, 3), (Fold{0, 1, 2}));
  EXPECT_EQ(without(Fold{0, 1, 2}, 3), Fold{});
  for (const Fold& fold : deal_folds(23, 4, 3)) {
    Fold both = without(fold, 23);
    both.insert(both.end(), fold.begin(), fold.end());
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both.size(), 23U);
    EXPECT_EQ(std::unique(both.begin(), both.end()), both.end());
  }
}

}  // namespace
}  // namespace trellis
