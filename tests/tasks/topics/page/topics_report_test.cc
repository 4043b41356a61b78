#include "trellis/tasks/topics/page/topics_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/well_formed.h"
#include "trellis/base/error.h"
#include "trellis/pictures/markup/palette.h"
#include "trellis/pictures/scripts/document_map_script.h"
#include "trellis/pictures/scripts/topic_terms_script.h"

namespace trellis::report::topics_report_test {
namespace {

constexpr const char* kEvil = "</script><script>alert(1)</script>&\"";

TopicsReport full_report() {
  TopicsReport report;
  report.title = "Topics of a corpus";
  report.subtitle = "LDA";
  report.figures = {{"Log-likelihood", "−8.1", "nats a word"}};
  report.options = {{"alpha", "0.1"}};
  report.topics = {{"", 0.2, 0.1, {0, 0}, {{"goal", 0.3, 0.1}, {"team", 0.2, 0.05}}, "shared"},
                   {"", 0.7, 0.3, {1, 2}, {{"orbit", 0.4, 0.3}, {kEvil, 0.1, 0.08}}, "space"},
                   {kEvil, 0.1, 0.2, {-1, 1}, {}, kEvil}};
  report.coherence_name = "NPMI";
  report.classes = {"hockey", kEvil};
  report.documents = {{{0, 0}, 0, 0, "first"},
                      {{5, 1}, 1, 1, kEvil},
                      {{2, -3}, kNoLabel, 2, ""},
                      {{1, 1}, 0, 1, "broken \xff title"}};
  report.sweeps = {{1, -9, -9.5, 0.1}, {2, -8.5, -9.2, 0.2}};
  return report;
}

std::string checked(const TopicsReport& report) {
  const std::string html = topics_report(report);
  EXPECT_EQ(find_markup_fault(html), "");
  for (const char* reference : {"http:", "https:", "src=", "<link", "url(", "@import"}) {
    EXPECT_EQ(html.find(reference), std::string::npos) << reference;
  }
  return html;
}

TEST(TopicsReport, ShowsAllThatItWasGiven) {
  const std::string text = visible_text(checked(full_report()));
  for (const char* word :
       {"Topics of a corpus", "Log-likelihood", "Options", "Map of topics", "Relevance λ", "orbit",
        "Topic 2, 70.00 % of words", "Topics by prevalence", "NPMI", "belongs to",
        "Topics by class", "space", "goal, team", "4 documents", "hockey", "no class", "Training",
        "Coherence", kEvil}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(TopicsReport, LeavesOutWhatIsEmpty) {
  TopicsReport report;
  report.title = "A model";
  const std::string html = checked(report);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  const std::string text = visible_text(html);
  for (const char* word : {"Topics", "Documents", "Training", "Options"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
  report.topics = full_report().topics;
  const std::string topics_only = visible_text(checked(report));
  EXPECT_EQ(topics_only.find("Documents"), std::string::npos);
}

TEST(TopicsReport, WhatStrangersWroteCannotBecomeAScript) {
  const std::string html = checked(full_report());
  EXPECT_EQ(count_of(html, "<script"), 4);  // data, and two that the policy knows
  EXPECT_EQ(count_of(html, "</script"), 4);
  EXPECT_EQ(count_of(html, "&#39;sha256-"), 2);
  EXPECT_EQ(html.find("alert(1)</"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script\\u003e"), std::string::npos);
}

TEST(TopicsReport, ATopicIsReachedByALink) {
  const std::string html = checked(full_report());
  for (const char* link : {"href=\"#topic-2\"", "id=\"topic-2\"", "href=\"#terms\"", "id=\"terms\"",
                           "aria-label=\"Topic 2, 70.00 % of words: orbit, "}) {
    EXPECT_NE(html.find(link), std::string::npos) << link;
  }
}

TEST(TopicsReport, ScriptsFindTheElementsThatThePageHas) {
  const std::string html = checked(full_report());
  const std::string scripts =
      std::string(topic_terms_script()) + std::string(document_map_script());
  for (const std::string id :
       {"topics-data", "documents-data", "lambda", "lambda-value", "relevance", "topic-heading",
        "topic-steps", "topic-before", "topic-after", "term-bars", "documents", "kinds"}) {
    EXPECT_EQ(count_of(html, " id=\"" + id + "\""), 1) << id;
    EXPECT_NE(scripts.find("\"" + id + "\""), std::string::npos) << id;
  }
}

TEST(TopicsReport, TopicsOfAClassHaveItsColour) {
  const TopicsReport report = full_report();
  const std::vector<TopicGroup> groups = topic_groups(report.topics, report.classes);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].colour, kNoKindColour);  // shared
  EXPECT_EQ(groups[2].name, kEvil);
  EXPECT_EQ(groups[2].colour, palette_colour(1));
  EXPECT_EQ(groups[2].topics, std::vector<Index>{2});
  const std::vector<TopicGroup> alone = topic_groups(report.topics, {});
  EXPECT_NE(alone[0].colour, alone[1].colour);
}

TEST(TopicsReport, WithoutAScriptAMapOfManyDocumentsIsASample) {
  TopicsReport report;
  for (Index d = 0; d < kStaticDocuments + 1; ++d) {
    report.documents.push_back({{static_cast<double>(d), 0}, kNoLabel, 0, ""});
  }
  const std::string html = checked(report);
  EXPECT_EQ(count_of(html, "h0"), static_cast<int>(kStaticDocuments));
  EXPECT_NE(visible_text(html).find("drawn at random"), std::string::npos);
}

TEST(TopicsReport, OneTopicOfOneDocumentIsAPage) {
  TopicsReport report;
  report.topics = {{"", 1, std::numeric_limits<double>::quiet_NaN(), {0, 0}, {{"a", 1, 1}}, ""}};
  report.documents = {{{0, 0}, kNoLabel, 0, "only"}};
  EXPECT_EQ(checked(report).find("nan"), std::string::npos);
}

TEST(TopicsReport, NumbersOfBubblesDoNotCoverEachOther) {
  TopicsReport report;
  for (Index k = 0; k < 60; ++k) {  // two heaps, and one that stands alone
    const double x = k == 59 ? 9 : static_cast<double>(k % 2) + 0.001 * static_cast<double>(k);
    report.topics.push_back({"", k == 0 ? 0.4 : 0.01, 0, {x, 0}, {{"a", 1, 1}}, ""});
  }
  const std::string html = checked(report);
  const int numbers = count_of(html, "class=\"bubble-number\""),
            crowded = count_of(html, "class=\"crowded\"");
  EXPECT_EQ(numbers + crowded, 60);
  EXPECT_GE(numbers, 3);
  EXPECT_LT(numbers, 20);
}

TEST(TopicsReport, SaysOfHowManyDocumentsTheseAreSome) {
  TopicsReport report = full_report();
  report.documents_in_all = 10;
  EXPECT_NE(visible_text(checked(report)).find("4 of 10 documents"), std::string::npos);
}

TEST(TopicsReport, RefusesWhatCannotBeDrawn) {
  const auto broken = [](auto change) {
    TopicsReport report = full_report();
    change(report);
    return report;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(topics_report(broken([&](auto& r) { r.topics[0].place.x = nan; })), UsageError);
  EXPECT_THROW(topics_report(broken([&](auto& r) { r.topics[0].prevalence = nan; })), UsageError);
  EXPECT_THROW(topics_report(broken([&](auto& r) { r.documents[0].place.y = nan; })), UsageError);
  EXPECT_THROW(topics_report(broken([](auto& r) { r.documents[0].label = 2; })), UsageError);
  EXPECT_THROW(topics_report(broken([](auto& r) { r.documents[0].topic = 3; })), UsageError);
}

TEST(TopicsReport, TheSameDataGiveTheSameBytes) {
  EXPECT_EQ(topics_report(full_report()), topics_report(full_report()));
}

}  // namespace
}  // namespace trellis::report::topics_report_test
