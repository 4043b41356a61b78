#include "trellis/tasks/topics/output/buckets.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace trellis::topics {
namespace {

void find_words(const LdaModel& lda, Index count, TopicBucket& bucket) {
  const Index num_words = lda.num_words();
  const double scale = static_cast<double>(num_words) / static_cast<double>(bucket.topics.size());
  std::vector<double> phi(lda.num_topics());
  std::vector<TopicBucket::Word> words(num_words);
  for (Index v = 0; v < num_words; ++v) {
    lda.word_probabilities(v, phi);
    double sum = 0;
    for (const Index k : bucket.topics) sum += phi[k];
    words[v] = {static_cast<std::uint32_t>(v), scale * sum};
  }
  const auto middle = words.begin() + static_cast<std::ptrdiff_t>(std::min(count, num_words));
  std::partial_sort(words.begin(), middle, words.end(), [](const auto& a, const auto& b) {
    return a.score != b.score ? a.score > b.score : a.word < b.word;
  });
  bucket.words.assign(words.begin(), middle);
}

}  // namespace

std::vector<TopicBucket> topic_buckets(const TopicModel& model, Index words) {
  std::vector<TopicBucket> buckets;
  const TopicClasses* classes = model.classes();
  if (classes == nullptr) return buckets;
  const auto add = [&](std::string_view group) {
    TopicBucket bucket{std::string(group), {}, {}};
    for (Index k = 0; k < model.num_topics(); ++k) {
      if (classes->group(k) == group) bucket.topics.push_back(k);
    }
    if (bucket.topics.empty()) return;
    find_words(model.lda(), words, bucket);
    buckets.push_back(std::move(bucket));
  };
  for (Index y = 0; y < classes->num_classes(); ++y) add(classes->names()[y]);
  add(TopicClasses::kSharedGroup);
  return buckets;
}

}  // namespace trellis::topics
