// The counts n_dk of topics in documents, as a list (topic, count) for each document, sorted by
// topic. A document has memory for min(its tokens, all topics) entries. Memory: at most 4 bytes per
// token and 12 per document; in a document of more than 65535 tokens, 8 bytes for each possible
// topic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "trellis/base/huge_pages.h"
#include "trellis/base/types.h"

namespace trellis::topics {

class DocumentTopics {
 public:
  // All lists are empty. begin: offsets of the documents' tokens, as in Documents.
  DocumentTopics(std::span<const std::uint64_t> begin, Index topics) {
    places_.reserve(begin.size());
    std::uint64_t place = 0;
    for (Index d = 0; d + 1 < begin.size(); ++d) {
      places_.push_back(place);
      const std::uint64_t length = begin[d + 1] - begin[d];
      const std::uint64_t width = length > 0xFFFF ? 2 : 1;
      place += 1 + width * std::min<std::uint64_t>(length, topics);
      if (width == 2) places_.back() |= kWide;
    }
    num_bytes_ = sizeof(std::uint32_t) * place;
    memory_ = std::make_unique<HugePages>(std::max<Index>(num_bytes_, 8));
    lists_ = memory_->as<std::uint32_t>();
  }

  // Calls body(topic, count), by topic.
  template <class Body>
  void for_each(Index d, const Body& body) const {
    const std::uint32_t* list = lists_ + (places_[d] & ~kWide);
    const std::uint32_t size = *list++;
    if ((places_[d] & kWide) == 0) {
      for (std::uint32_t i = 0; i < size; ++i) body(list[i] >> 16, list[i] & 0xFFFF);
    } else {
      for (Index i = 0; i < size; ++i) body(list[2 * i], list[2 * i + 1]);
    }
  }

  // Rewrites the list of a document, by ascending topic.
  class Writer {
   public:
    Writer(std::uint32_t* list, bool wide) : size_(list), next_(list + 1), wide_(wide) {
      *size_ = 0;
    }
    void push(std::uint32_t topic, std::uint32_t count) {
      ++*size_;
      if (wide_) {
        *next_++ = topic;
        *next_++ = count;
      } else {
        *next_++ = topic << 16 | count;
      }
    }

   private:
    std::uint32_t* size_;
    std::uint32_t* next_;
    bool wide_;
  };
  Writer rewrite(Index d) { return {lists_ + (places_[d] & ~kWide), (places_[d] & kWide) != 0}; }
  void clear() { std::memset(lists_, 0, num_bytes_); }

  Index num_bytes() const { return num_bytes_ + sizeof(std::uint64_t) * places_.size(); }

 private:
  static constexpr std::uint64_t kWide = std::uint64_t{1} << 63;  // counts may exceed 16 bits
  std::vector<std::uint64_t> places_;
  Index num_bytes_ = 0;  // of the lists
  std::unique_ptr<HugePages> memory_;
  std::uint32_t* lists_;  // a size, and then the entries
};

}  // namespace trellis::topics
