#include "trellis/tasks/topics/top_words.h"

#include <algorithm>
#include <numeric>

#include "trellis/topics/topic_rows.h"

namespace trellis::topics {
namespace {

struct WeighedWord {
  double weight;
  std::uint32_t word;

  bool operator<(const WeighedWord& other) const {
    return weight != other.weight ? weight > other.weight : word < other.word;
  }
};

}  // namespace

std::vector<std::vector<std::uint32_t>> top_words(const LdaModel& model, Index count) {
  std::vector<Index> topics(model.num_topics());
  std::iota(topics.begin(), topics.end(), Index{0});
  const TopicRows rows = rows_of_topics(model, topics);
  // Words without tokens in a topic: those with the largest prior come first.
  std::vector<WeighedWord> by_prior;
  for (std::uint32_t w = 0; w < model.num_words(); ++w) by_prior.push_back({rows.beta[w], w});
  std::sort(by_prior.begin(), by_prior.end());

  std::vector<std::vector<std::uint32_t>> tops(topics.size());
  std::vector<WeighedWord> candidates;
  for (Index k = 0; k < topics.size(); ++k) {
    const std::span<const std::uint32_t> words = rows.words_of(k);
    candidates.clear();
    for (Index i = 0; i < words.size(); ++i) {
      candidates.push_back({rows.probabilities_of(k)[i], words[i]});
    }
    Index others = 0;
    for (const WeighedWord& one : by_prior) {
      if (others == count) break;
      if (std::binary_search(words.begin(), words.end(), one.word)) continue;
      candidates.push_back({one.weight * rows.rest[k], one.word});
      ++others;
    }
    const auto end =
        candidates.begin() + static_cast<std::ptrdiff_t>(std::min<Index>(count, candidates.size()));
    std::partial_sort(candidates.begin(), end, candidates.end());
    for (auto one = candidates.begin(); one != end; ++one) tops[k].push_back(one->word);
  }
  return tops;
}

}  // namespace trellis::topics
