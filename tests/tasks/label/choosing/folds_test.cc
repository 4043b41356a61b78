#include "trellis/tasks/label/choosing/folds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::label {
namespace {

// Label v has about 2^-v of the instances.
LabelSets skewed_sets(Index n, Index num_labels, std::uint64_t seed) {
  Random random(seed);
  LabelSets sets;
  for (Index i = 0; i < n; ++i) {
    std::vector<std::uint32_t> labels;
    for (std::uint32_t v = 0; v < num_labels; ++v) {
      if (random.below(std::uint64_t{1} << v) == 0 && random.below(2) == 0) labels.push_back(v);
    }
    sets.append(labels);
  }
  return sets;
}

TEST(StratifiedFolds, GiveEachFoldItsShareOfEachLabelAndOfTheInstances) {
  const Index num_labels = 7;
  const LabelSets sets = skewed_sets(500, num_labels, 1);
  const LabelSets instances = reversed(sets, num_labels);
  const Index k = 5;
  const std::vector<Index> folds = stratified_folds(sets, num_labels, k, 3);
  ASSERT_EQ(folds.size(), sets.size());
  for (Index f = 0; f < k; ++f) {
    const auto size = static_cast<double>(std::count(folds.begin(), folds.end(), f));
    EXPECT_NEAR(size, 100, 6);
    for (Index v = 0; v < num_labels; ++v) {
      Index count = 0;
      for (const std::uint32_t i : instances[v]) count += folds[i] == f ? 1 : 0;
      EXPECT_NEAR(static_cast<double>(count), static_cast<double>(instances[v].size()) / 5, 3);
      if (instances[v].size() >= 2 * k) {
        EXPECT_GT(count, 0U) << "label " << v;
      }
    }
  }
}

TEST(StratifiedFolds, PutTheInstancesOfARareLabelInDifferentFolds) {
  LabelSets sets;
  for (Index i = 0; i < 40; ++i) {
    sets.append(i < 4 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{1});
  }
  const std::vector<Index> folds = stratified_folds(sets, 2, 4, 9);
  std::vector<Index> rare(folds.begin(), folds.begin() + 4);
  std::sort(rare.begin(), rare.end());
  EXPECT_EQ(rare, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(StratifiedFolds, FollowTheSeed) {
  const LabelSets sets = skewed_sets(60, 4, 2);
  EXPECT_EQ(stratified_folds(sets, 4, 3, 1), stratified_folds(sets, 4, 3, 1));
  EXPECT_NE(stratified_folds(sets, 4, 3, 1), stratified_folds(sets, 4, 3, 2));
}

TEST(StratifiedFolds, RefuseOneFoldAndMoreFoldsThanInstances) {
  const LabelSets sets = skewed_sets(4, 2, 1);
  EXPECT_THROW(stratified_folds(sets, 2, 1, 1), UsageError);
  EXPECT_THROW(stratified_folds(sets, 2, 5, 1), UsageError);
}

TEST(Splits, PutEachInstanceInOneFoldAndInTheTrainingSetsOfTheOthers) {
  const std::vector<Split> splits = splits_of({0, 1, 1, 2}, 3);
  ASSERT_EQ(splits.size(), 3U);
  EXPECT_EQ(splits[1].held_out, (std::vector<Index>{1, 2}));
  EXPECT_EQ(splits[1].train, (std::vector<Index>{0, 3}));
  EXPECT_EQ(splits[2].held_out, (std::vector<Index>{3}));
}

}  // namespace
}  // namespace trellis::label
