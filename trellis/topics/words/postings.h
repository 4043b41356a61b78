// Inverted lists: which words have a key (a substring, what is left of a word without some
// letters), and which keys a word has. Keys are 64-bit fingerprints, of which different ones are
// taken to be of different things (data/fingerprint_table.h).
//
// Time: a sort of all pairs. Memory: 16 bytes for each in the beginning, and 16 in the end for
// those whose key is of several words; a key of one word alone links nothing and is dropped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

struct KeyOfWord {
  std::uint64_t key;
  std::uint32_t word;
};

class Postings {
 public:
  struct Entry {
    std::uint32_t id;     // of a word, or of a key
    std::uint32_t count;  // how often the word has the key
  };

  // A pair may repeat; words are below num_words, and there are at most 2^32 − 2 pairs
  // (UsageError).
  Postings(std::vector<KeyOfWord> pairs, Index num_words);

  Index num_keys() const { return word_begin_.size() - 1; }
  std::span<const Entry> words_of(Index key) const {
    return std::span(words_).subspan(word_begin_[key], word_begin_[key + 1] - word_begin_[key]);
  }  // by rising word
  std::span<const Entry> keys_of(Index word) const {
    return std::span(keys_).subspan(key_begin_[word], key_begin_[word + 1] - key_begin_[word]);
  }
  // Σ count² over all keys of the word, also those that were dropped.
  double squared_norm(Index word) const { return squared_norms_[word]; }

 private:
  void invert(Index num_words);

  std::vector<std::uint64_t> word_begin_ = {0};
  std::vector<Entry> words_;
  std::vector<std::uint64_t> key_begin_;
  std::vector<Entry> keys_;
  std::vector<double> squared_norms_;
};

}  // namespace trellis::topics
