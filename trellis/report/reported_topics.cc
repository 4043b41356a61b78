#include "trellis/report/reported_topics.h"

#include <string>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/topics/embedding/topic_map.h"
#include "trellis/topics/relevance.h"

namespace trellis::report {

std::vector<ReportedTopic> reported_topics(const TopicTable& table, const NameView& words,
                                           int threads) {
  const Index num_topics = table.prevalence.size(), num_words = table.overall.size();
  if (words.size() != num_words || table.in_topic.size() != num_topics * num_words) {
    throw UsageError("topics report: probabilities, words and topics differ in number");
  }
  std::vector<ReportedTopic> reported(num_topics);
  if (num_topics == 0 || num_words == 0) return reported;
  const std::vector<topics::Point> places = topics::topic_map(table.in_topic, num_words, threads);
  parallel_for(num_topics, resolve_threads(threads), [&](Index k, int) {
    const std::span<const double> row = table.in_topic.subspan(k * num_words, num_words);
    reported[k].prevalence = table.prevalence[k];
    reported[k].place = places[k];
    for (const Index w : topics::relevant_words(row, table.overall, kTermsShown)) {
      reported[k].words.push_back({std::string(words[w]), row[w], table.overall[w]});
    }
  });
  return reported;
}

}  // namespace trellis::report
