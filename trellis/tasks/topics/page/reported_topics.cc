#include "trellis/tasks/topics/page/reported_topics.h"

#include <string>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/topics/embedding/topic_map.h"
#include "trellis/topics/relevance.h"

namespace trellis::report {
namespace {

std::vector<ReportedWord> reported_words(const TopicTable& table, Index k, const NameView& names) {
  std::vector<std::uint32_t> words;
  std::vector<double> shares, overall;
  for (Index i = 0; i < table.topics.words_of(k).size(); ++i) {
    const std::uint32_t w = table.topics.words_of(k)[i];
    if (table.overall[w] == 0)
      continue;  // a word known only by its links, which is relevant to no document
    words.push_back(w);
    shares.push_back(table.topics.probabilities_of(k)[i]);
    overall.push_back(table.overall[w]);
  }
  std::vector<ReportedWord> reported;
  for (const Index i : topics::relevant_words(shares, overall, kTermsShown)) {
    reported.push_back({std::string(names[words[i]]), shares[i], overall[i]});
  }
  return reported;
}

}  // namespace

std::vector<ReportedTopic> reported_topics(const TopicTable& table, const NameView& words,
                                           int threads,
                                           const std::function<bool(Index)>& on_topics) {
  const Index num_topics = table.topics.size(), num_words = table.topics.num_words();
  if (words.size() != num_words || table.overall.size() != num_words ||
      table.prevalence.size() != num_topics) {
    throw UsageError("topics report: probabilities, words and topics differ in number");
  }
  const std::vector<topics::Point> places = topics::topic_map(table.topics, threads, on_topics);
  std::vector<ReportedTopic> reported(num_topics);
  parallel_for(num_topics, resolve_threads(threads), [&](Index k, int) {
    reported[k].prevalence = table.prevalence[k];
    reported[k].place = places[k];
    reported[k].words = reported_words(table, k, words);
  });
  return reported;
}

}  // namespace trellis::report
