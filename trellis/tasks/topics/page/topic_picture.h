// Pictures of topics: a map of their distances, and the characteristic words of a topic.
//
// Map and bars follow LDAvis (Sievert & Shirley 2014): a bubble's area is the topic's share of all
// words, and a word's bar shows the part of its tokens that belongs to the topic.
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
  std::string name;       // label of its bubble; empty: its number from 1
  double prevalence = 0;  // share of all words
  double coherence = std::numeric_limits<double>::quiet_NaN();
  topics::Point place;              // result of topics::topic_map
  std::vector<ReportedWord> words;  // topics::relevant_words, in any order
  std::string group;                // "shared", or the owning class; empty for LDA
};

// Its name, or its number from 1.
std::string topic_name(std::span<const ReportedTopic> topics, Index k);

// The groups in the order of their first topic. A class has its colour in other pictures, other
// groups are grey; without classes, each group has a colour.
struct TopicGroup {
  std::string name;
  std::string colour;
  std::vector<Index> topics;  // by prevalence
};
std::vector<TopicGroup> topic_groups(std::span<const ReportedTopic> topics,
                                     std::span<const std::string> classes);
// Topics by prevalence.
std::vector<Index> by_prevalence(std::span<const ReportedTopic> topics);
// "goal, team, season": the `count` most relevant words at the default λ.
std::string telling_words(const ReportedTopic& topic, Index count);
// The `count` most relevant words at λ; fewer if there are fewer.
std::vector<const ReportedWord*> most_relevant(const ReportedTopic& topic, double lambda,
                                               Index count);

// Each bubble links to the row of its topic, #topic-K with K from 1.
Html topic_map_picture(std::span<const ReportedTopic> topics, std::span<const TopicGroup> groups);

// Bars for the words of one topic.
inline constexpr Index kTermsShown = 30;
Html term_bars(const ReportedTopic& topic, double lambda);

}  // namespace trellis::report
