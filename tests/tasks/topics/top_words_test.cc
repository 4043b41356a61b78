#include "trellis/tasks/topics/top_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::top_words_test {
namespace {

TEST(TopWords, AreThoseOfSortingWholeRows) {
  constexpr Index kTopics = 6, kWords = 40;
  Random random(3);
  std::vector<double> beta(kWords);
  for (double& b : beta) b = 0.5 * static_cast<double>(1 + random.below(6));  // with ties
  std::vector<std::uint64_t> begin = {0};
  std::vector<LdaModel::Entry> entries;
  for (Index w = 0; w < kWords; ++w) {
    for (std::uint32_t k = 0; k + 1 < kTopics; ++k) {  // the last has none
      if (random.below(4) == 0) entries.push_back({k, static_cast<double>(1 + random.below(4))});
    }
    begin.push_back(entries.size());
  }
  const LdaModel model(std::vector<double>(kTopics, 0.1), beta, begin, entries);
  std::vector<std::vector<double>> weights(kTopics, beta);  // as φ, for one topic
  for (Index w = 0; w < kWords; ++w) {
    for (const LdaModel::Entry& entry : model.entries(w)) weights[entry.topic][w] += entry.count;
  }
  for (const Index count : {Index{0}, Index{1}, Index{10}, kWords, kWords + 5}) {
    const auto found = top_words(model, count);
    for (Index k = 0; k < kTopics; ++k) {
      std::vector<std::uint32_t> expected(kWords);
      std::iota(expected.begin(), expected.end(), 0U);
      std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
        return weights[k][a] > weights[k][b];
      });
      expected.resize(std::min(count, kWords));
      EXPECT_EQ(found[k], expected);
    }
  }
}

}  // namespace
}  // namespace trellis::topics::top_words_test
