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
  const std::vector<std::vector<Index>> folds = stratified_folds(sets, num_labels, k, 3);
  ASSERT_EQ(folds.size(), k);
  std::vector<Index> all;
  for (const std::vector<Index>& fold : folds) {
    all.insert(all.end(), fold.begin(), fold.end());
    EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
    EXPECT_NEAR(static_cast<double>(fold.size()), 100, 6);
    for (Index v = 0; v < num_labels; ++v) {
      Index count = 0;
      for (const std::uint32_t i : instances[v]) {
        count += std::binary_search(fold.begin(), fold.end(), i) ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(count), static_cast<double>(instances[v].size()) / 5, 3);
      if (instances[v].size() >= 2 * k) {
        EXPECT_GT(count, 0U) << "label " << v;
      }
    }
  }
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), sets.size());
  for (Index i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

TEST(StratifiedFolds, PutTheInstancesOfARareLabelInDifferentFolds) {
  LabelSets sets;
  for (Index i = 0; i < 40; ++i) {
    sets.append(i < 4 ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{1});
  }
  for (const std::vector<Index>& fold : stratified_folds(sets, 2, 4, 9)) {
    EXPECT_EQ(std::count_if(fold.begin(), fold.end(), [](Index i) { return i < 4; }), 1);
  }
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

}  // namespace
}  // namespace trellis::label
