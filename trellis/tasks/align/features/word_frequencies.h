// How often the words of a side are seen in the text that statistics were counted in: buckets, and
// ranks on a logarithmic scale, on which translations stand near each other whatever the size of
// the text (Taskar, Lacoste-Julien & Klein 2005, section 3.2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis::align {

enum class FrequencyBucket : std::uint8_t {
  kUnknown,   // never seen
  kRare,      // up to 3 times
  kUncommon,  // up to 30 times
  kCommon,
  kFrequent,  // more than 30 times, and a thousandth of all tokens or more
};
inline constexpr Index kFrequencyBuckets = 5;
inline constexpr std::array<std::string_view, kFrequencyBuckets> kFrequencyBucketNames = {
    "unknown", "rare", "uncommon", "common", "frequent"};

class WordFrequencies {
 public:
  // By word. Words that are seen equally often have one rank.
  explicit WordFrequencies(std::span<const std::uint32_t> counts);

  FrequencyBucket bucket(WordId word) const {
    return word < buckets_.size() ? buckets_[word] : FrequencyBucket::kUnknown;
  }
  // log(1 + the number of words that are seen more often) / log(1 + words): 0 … 1.
  double rank(WordId word) const { return word < ranks_.size() ? double{ranks_[word]} : 1.0; }

 private:
  std::vector<FrequencyBucket> buckets_;
  std::vector<float> ranks_;
};

}  // namespace trellis::align
