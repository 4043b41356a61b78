// The values that were computed for words seen lately. Words follow Zipf's law: a few thousand of
// them are nine tenths of any text.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {

// A direct-mapped cache from words to rows of `width` values: a newcomer displaces whoever is in
// its place. What find() returns is what was inserted, whatever happened in between, or null; so
// results do not depend on the history. Memory is about kBytes, once and for all.
class WordCache {
 public:
  static constexpr Index kBytes = Index{1} << 21;
  static constexpr Index kMaxWordBytes = 40;  // longer words are too rare to be kept

  explicit WordCache(Index width)
      : width_(width),
        entries_(std::bit_floor(kBytes / (sizeof(Entry) + width * sizeof(TextHash)) + 1)),
        values_(entries_.size() * width) {}

  Index width() const { return width_; }

  // The row of the word, or null.
  const TextHash* find(std::string_view word) const {
    const Index place = place_of(word);
    const Entry& entry = entries_[place];
    if (entry.size != word.size()) return nullptr;
    if (std::memcmp(entry.text.data(), word.data(), word.size()) != 0) return nullptr;
    return values_.data() + place * width_;
  }

  void insert(std::string_view word, const TextHash* row) {
    if (word.size() > kMaxWordBytes) return;
    const Index place = place_of(word);
    entries_[place].size = word.size();
    std::copy(word.begin(), word.end(), entries_[place].text.begin());
    std::copy_n(row, width_, values_.data() + place * width_);
  }

 private:
  struct Entry {
    Index size = ~Index{0};  // no word
    std::array<char, kMaxWordBytes> text;
  };

  Index place_of(std::string_view word) const { return fingerprint(word) & (entries_.size() - 1); }

  Index width_;
  std::vector<Entry> entries_;  // a power of two
  std::vector<TextHash> values_;
};

}  // namespace trellis::tag
