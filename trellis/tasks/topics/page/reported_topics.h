// From the probabilities of a model to the data of topics on a page.
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
  std::span<const double> prevalence;  // share of each topic among all words
};

// Fills in prevalence, places and words of topics; the caller adds names, coherence and groups.
// Throws UsageError if sizes do not match. `on_topics` is that of topics::topic_map, which takes
// most of the time.
std::vector<ReportedTopic> reported_topics(const TopicTable& table, const NameView& words,
                                           int threads,
                                           const std::function<bool(Index)>& on_topics = {});

}  // namespace trellis::report
