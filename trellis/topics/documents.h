// Documents as words by number: what every topic model reads.
#pragma once

#include <cstdint>
#include <span>

#include "trellis/base/types.h"

namespace trellis::topics {

// A view; what it points at must outlive it. Words are tokens: one that occurs twice is there
// twice.
struct Documents {
  std::span<const std::uint64_t>
      begin;  // of a document's tokens; one more than there are documents
  std::span<const std::uint32_t> tokens;  // numbers below num_words
  Index num_words = 0;                    // of the vocabulary

  Index size() const { return begin.empty() ? 0 : begin.size() - 1; }
  Index num_tokens() const { return tokens.size(); }
  std::span<const std::uint32_t> operator[](Index d) const {
    return tokens.subspan(begin[d], begin[d + 1] - begin[d]);
  }
};

}  // namespace trellis::topics
