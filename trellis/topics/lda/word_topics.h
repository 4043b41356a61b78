// The number of times that each word is assigned to each topic, n_wk, in as few bytes as its
// frequency allows.
//
// A frequent word has a dense row of K counts, of one, two or four bytes, as the largest possible
// count requires. Any other word has a list of its topics, (topic << 16) + count, sorted by topic:
// at most as many as it has tokens, and zeros up to a multiple of eight. The form depends only on
// the word's frequency, and a list only on its counts, so that equal counts have equal bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/huge_pages.h"
#include "trellis/base/types.h"

namespace trellis::topics {

// Four forms: the values are part of a row's place.
enum class RowForm : std::uint8_t { kList, kBytes, kShorts, kWords };

class TopicList {
 public:
  static std::uint32_t entry(std::uint32_t topic, std::uint32_t count) {
    return topic << 16 | count;
  }
  static std::uint32_t topic(std::uint32_t entry) { return entry >> 16; }
  static std::uint32_t count(std::uint32_t entry) { return entry & 0xFFFF; }

  explicit TopicList(std::uint32_t* row) : size_(row), entries_(row + 1) {}
  std::uint32_t size() const { return *size_; }
  const std::uint32_t* entries() const { return entries_; }

  // Zeros follow the entries up to a multiple of eight.
  std::uint32_t padded_size() const { return (size() + 7) / 8 * 8; }

  // The first entry whose topic is not below `topic`.
  std::uint32_t find(std::uint32_t topic) const;
  void add(std::uint32_t topic);
  void add_at(std::uint32_t i) { ++entries_[i]; }
  void remove(std::uint32_t topic);  // which is there

 private:
  std::uint32_t* size_;
  std::uint32_t* entries_;
};

class WordTopics {
 public:
  static constexpr Index kLanes = 8;           // dense rows end with zeros up to a multiple of it
  static constexpr Index kMostTopics = 65535;  // a topic has 16 bits, one value says "none"

  // All zero. counts[w] bounds Σ_k n_wk; words with at least `dense_from` ≤ 65536 have dense rows.
  WordTopics(std::span<const std::uint32_t> counts, Index topics, Index dense_from);

  Index num_topics() const { return num_topics_; }
  RowForm form(Index w) const { return static_cast<RowForm>(places_[w] & 3); }
  template <class Count>
  Count* row(Index w) {
    return reinterpret_cast<Count*>(first_ + (places_[w] >> 2 << 3));
  }
  template <class Count>
  const Count* row(Index w) const {
    return reinterpret_cast<const Count*>(first_ + (places_[w] >> 2 << 3));
  }
  TopicList list(Index w) { return TopicList(row<std::uint32_t>(w)); }

  void prefetch(Index w) const {
    const std::uint8_t* first = row<std::uint8_t>(w);
    __builtin_prefetch(first);
    __builtin_prefetch(first + 64);
  }

  void add(Index w, Index k);
  void remove(Index w, Index k);
  std::uint32_t count(Index w, Index k) const;
  void clear();

  // Calls body(topic, count) for the positive counts of w, by topic.
  template <class Body>
  void for_each(Index w, const Body& body) const;

  Index num_bytes() const { return num_bytes_; }

 private:
  template <class Count, class Body>
  void for_each_dense(Index w, const Body& body) const;

  Index num_topics_;
  std::vector<std::uint64_t> places_;  // (offset in units of 8 bytes) << 2 | form
  Index num_bytes_;
  std::unique_ptr<HugePages> rows_;
  std::uint8_t* first_;  // of rows_
};

template <class Count, class Body>
void WordTopics::for_each_dense(Index w, const Body& body) const {
  const Count* counts = row<Count>(w);
  for (Index k = 0; k < num_topics_; ++k) {
    if (counts[k] > 0) body(k, static_cast<std::uint32_t>(counts[k]));
  }
}

template <class Body>
void WordTopics::for_each(Index w, const Body& body) const {
  switch (form(w)) {
    case RowForm::kBytes:
      return for_each_dense<std::uint8_t>(w, body);
    case RowForm::kShorts:
      return for_each_dense<std::uint16_t>(w, body);
    case RowForm::kWords:
      return for_each_dense<std::uint32_t>(w, body);
    case RowForm::kList: {
      const std::uint32_t* entries = row<std::uint32_t>(w);  // the first is their number
      for (std::uint32_t i = 1; i <= entries[0]; ++i) {
        body(Index{TopicList::topic(entries[i])}, TopicList::count(entries[i]));
      }
    }
  }
}

}  // namespace trellis::topics
