// From the probabilities of a model to what a page shows of its topics.
#pragma once

#include <span>
#include <vector>

#include "trellis/data/name_list.h"
#include "trellis/report/topic_picture.h"

namespace trellis::report {

struct TopicTable {
  std::span<const double> in_topic;    // p(w | k): a row of words for each topic
  std::span<const double> overall;     // p(w)
  std::span<const double> prevalence;  // of each topic, among all words
};

// Prevalence, places and words; names, coherence and groups are for the caller to add. Throws
// UsageError where sizes do not go together. O(K² V) logarithms: see topics::topic_map.
std::vector<ReportedTopic> reported_topics(const TopicTable& table, const NameView& words,
                                           int threads);

}  // namespace trellis::report
