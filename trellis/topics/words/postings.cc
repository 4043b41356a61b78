#include "trellis/topics/words/postings.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "trellis/base/error.h"

namespace trellis::topics {

Postings::Postings(std::vector<KeyOfWord> pairs, Index num_words) : squared_norms_(num_words) {
  if (pairs.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("the words of the vocabulary have too many substrings to compare");
  }
  std::sort(pairs.begin(), pairs.end(), [](const KeyOfWord& a, const KeyOfWord& b) {
    return std::tie(a.key, a.word) < std::tie(b.key, b.word);
  });
  for (Index i = 0; i < pairs.size();) {
    const std::uint64_t key = pairs[i].key;
    while (i < pairs.size() && pairs[i].key == key) {
      const std::uint32_t word = pairs[i].word;
      std::uint32_t count = 0;
      for (; i < pairs.size() && pairs[i].key == key && pairs[i].word == word; ++i) ++count;
      words_.push_back({word, count});
      squared_norms_[word] += static_cast<double>(count) * static_cast<double>(count);
    }
    if (words_.size() - word_begin_.back() > 1) {
      word_begin_.push_back(words_.size());
    } else {
      words_.pop_back();
    }
  }
  words_.shrink_to_fit();
  pairs = {};
  invert(num_words);
}

void Postings::invert(Index num_words) {
  key_begin_.resize(num_words + 1);
  for (const Entry& entry : words_) ++key_begin_[entry.id + 1];
  for (Index word = 0; word < num_words; ++word) key_begin_[word + 1] += key_begin_[word];
  keys_.resize(words_.size());
  std::vector<std::uint64_t> next(key_begin_.begin(), key_begin_.end() - 1);
  for (Index key = 0; key < num_keys(); ++key) {
    for (const Entry& entry : words_of(key)) {
      keys_[next[entry.id]++] = {static_cast<std::uint32_t>(key), entry.count};
    }
  }
}

}  // namespace trellis::topics
