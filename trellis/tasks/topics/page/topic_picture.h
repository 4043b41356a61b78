// Pictures of topics: where they lie to each other, and the words that tell one.
//
// The map and the bars follow LDAvis (Sievert & Shirley 2014): a bubble's area is the topic's share
// of all words, and a word's bar shows how much of its use the topic explains.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"
#include "trellis/topics/embedding/point.h"

namespace trellis::report {

struct ReportedWord {
  std::string word;
  double in_topic = 0;  // p(w | k)
  double overall = 0;   // p(w)
};

struct ReportedTopic {
  std::string name;       // short, as it stands in a bubble; its number from 1 where empty
  double prevalence = 0;  // share of all words
  double coherence = std::numeric_limits<double>::quiet_NaN();
  topics::Point place;              // as topics::topic_map gives it
  std::vector<ReportedWord> words;  // those of topics::relevant_words, in any order
  std::string group;                // "shared", or the class that has it for itself; empty in LDA
};

// Its name, or its number from 1.
std::string topic_name(std::span<const ReportedTopic> topics, Index k);

// The groups in the order of their first topic. A class has the colour that it has elsewhere, other
// groups are grey; where there are no classes they have a colour each.
struct TopicGroup {
  std::string name;
  std::string colour;
  std::vector<Index> topics;  // by prevalence
};
std::vector<TopicGroup> topic_groups(std::span<const ReportedTopic> topics,
                                     std::span<const std::string> classes);
// Topics by how prevalent they are.
std::vector<Index> by_prevalence(std::span<const ReportedTopic> topics);
// "goal, team, season": the `count` words that are most relevant at the usual λ.
std::string telling_words(const ReportedTopic& topic, Index count);
// The `count` words that are most relevant at λ; fewer where there are fewer.
std::vector<const ReportedWord*> most_relevant(const ReportedTopic& topic, double lambda,
                                               Index count);

// Each bubble leads to the row of its topic, #topic-K with K from 1.
Html topic_map_picture(std::span<const ReportedTopic> topics, std::span<const TopicGroup> groups);

// Bars of the words of one topic.
inline constexpr Index kTermsShown = 30;
Html term_bars(const ReportedTopic& topic, double lambda);

}  // namespace trellis::report
