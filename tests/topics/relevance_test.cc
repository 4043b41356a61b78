#include "trellis/topics/relevance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::relevance_test {
namespace {

TEST(Relevance, IsItsDefinition) {
  for (const double lambda : {0.0, 0.3, 1.0}) {
    const double expected = lambda * std::log(0.02) + (1 - lambda) * std::log(0.02 / 0.005);
    EXPECT_NEAR(relevance(0.02, 0.005, lambda), expected, 1e-12);
  }
  EXPECT_EQ(relevance(0, 0.5, 0.6), -kInfinity);
}

TEST(RelevantWords, AreAllThatTheSliderCanShow) {
  Random random(1);
  std::vector<double> in_topic(300), overall(300);
  for (Index w = 0; w < 300; ++w) {
    in_topic[w] = w % 7 == 0 ? 0 : random.uniform();
    overall[w] = random.uniform() + 1e-3;
  }
  std::set<Index> expected;
  for (int step = 0; step <= kLambdaSteps; ++step) {
    const double lambda = static_cast<double>(step) / kLambdaSteps;
    std::vector<Index> words(300);
    for (Index w = 0; w < 300; ++w) words[w] = w;
    std::stable_sort(words.begin(), words.end(), [&](Index a, Index b) {
      return relevance(in_topic[a], overall[a], lambda) >
             relevance(in_topic[b], overall[b], lambda);
    });
    expected.insert(words.begin(), words.begin() + 10);
  }
  const std::vector<Index> found = relevant_words(in_topic, overall, 10);
  EXPECT_EQ(std::set<Index>(found.begin(), found.end()), expected);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST(RelevantWords, AreNoMoreThanTheTopicHas) {
  const std::vector<double> in_topic = {0, 1, 0}, overall = {0.4, 0.3, 0.3};
  EXPECT_EQ(relevant_words(in_topic, overall, 30), std::vector<Index>{1});
  EXPECT_TRUE(relevant_words({}, {}, 30).empty());
}

}  // namespace
}  // namespace trellis::topics::relevance_test
