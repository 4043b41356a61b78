#include "trellis/report/reported_topics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis::report::reported_topics_test {
namespace {

const std::vector<std::uint64_t> kOffsets = {0, 4, 8, 13};
const std::string kBytes = "goalteamorbit";
const std::vector<double> kInTopic = {0.5, 0.5, 0, 0, 0.1, 0.9};
const std::vector<double> kOverall = {0.25, 0.3, 0.45}, kPrevalence = {0.5, 0.5};

NameView words() {
  return NameView(kOffsets, kBytes, "words");
}

TEST(ReportedTopics, HaveTheWordsThatTheyUse) {
  const auto topics = reported_topics({kInTopic, kOverall, kPrevalence}, words(), 2);
  ASSERT_EQ(topics.size(), 2U);
  ASSERT_EQ(topics[0].words.size(), 2U);
  EXPECT_EQ(topics[0].words[1].word, "team");
  EXPECT_EQ(topics[0].words[1].in_topic, 0.5);
  EXPECT_EQ(topics[0].words[1].overall, 0.3);
  EXPECT_EQ(topics[1].words[1].word, "orbit");
  EXPECT_EQ(topics[1].prevalence, 0.5);
  EXPECT_NE(topics[0].place.x, topics[1].place.x);
}

TEST(ReportedTopics, RefuseSizesThatDoNotGoTogether) {
  const std::vector<double> three = {0.2, 0.3, 0.5}, two = {0.5, 0.5};
  EXPECT_THROW(reported_topics({kInTopic, kOverall, three}, words(), 1), UsageError);
  EXPECT_THROW(reported_topics({kInTopic, two, three}, words(), 1), UsageError);
  EXPECT_TRUE(reported_topics({{}, kOverall, {}}, words(), 1).empty());
}

}  // namespace
}  // namespace trellis::report::reported_topics_test
