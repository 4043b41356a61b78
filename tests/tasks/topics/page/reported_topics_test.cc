#include "trellis/tasks/topics/page/reported_topics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::report::reported_topics_test {
namespace {

const std::vector<std::uint64_t> kOffsets = {0, 4, 8, 13};
const std::string kBytes = "goalteamorbit";
const std::vector<double> kOverall = {0.25, 0.3, 0.45}, kPrevalence = {0.5, 0.5};

NameView words() {
  return NameView(kOffsets, kBytes, "words");
}

// The first topic has the first two words, the second the last two.
topics::TopicRows rows() {
  const topics::LdaModel model({0.1, 0.1}, {0.1, 0.1, 0.1}, {0, 1, 3, 4},
                               {{0, 5}, {0, 5}, {1, 1}, {1, 9}});
  return topics::rows_of_topics(model, std::vector<Index>{0, 1});
}

TEST(ReportedTopics, HaveTheWordsThatTheyUse) {
  const auto table = rows();
  const auto topics = reported_topics({table, kOverall, kPrevalence}, words(), 2);
  ASSERT_EQ(topics.size(), 2U);
  ASSERT_EQ(topics[0].words.size(), 2U);
  EXPECT_EQ(topics[0].words[1].word, "team");
  EXPECT_DOUBLE_EQ(topics[0].words[1].in_topic, 5.1 / 10.3);
  EXPECT_EQ(topics[0].words[1].overall, 0.3);
  EXPECT_EQ(topics[1].words[1].word, "orbit");
  EXPECT_EQ(topics[1].prevalence, 0.5);
  EXPECT_NE(topics[0].place.x, topics[1].place.x);
}

TEST(ReportedTopics, RefuseSizesThatDoNotGoTogether) {
  const std::vector<double> three = {0.2, 0.3, 0.5}, two = {0.5, 0.5};
  const auto table = rows();
  EXPECT_THROW(reported_topics({table, kOverall, three}, words(), 1), UsageError);
  EXPECT_THROW(reported_topics({table, two, two}, words(), 1), UsageError);
  EXPECT_TRUE(reported_topics({{}, {}, {}}, NameView(), 1).empty());
}

}  // namespace
}  // namespace trellis::report::reported_topics_test
