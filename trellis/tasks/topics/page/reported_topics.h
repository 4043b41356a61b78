// From the probabilities of a model to what a page shows of its topics.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/data/name_list.h"
#include "trellis/tasks/topics/page/topic_picture.h"
#include "trellis/topics/topic_rows.h"

namespace trellis::report {

struct TopicTable {
  const topics::TopicRows& topics;
  std::span<const double> overall;     // p(w)
  std::span<const double> prevalence;  // of each topic, among all words
};

// Prevalence, places and words, of those that a topic has; names, coherence and groups are for the
// caller to add. Throws UsageError where sizes do not go together. `on_topics` is that of
// topics::topic_map, which takes most of the time.
std::vector<ReportedTopic> reported_topics(const TopicTable& table, const NameView& words,
                                           int threads,
                                           const std::function<bool(Index)>& on_topics = {});

}  // namespace trellis::report
