// Statistics of the words of one side. Frequency in the text in which statistics were counted:
// buckets, and ranks on a logarithmic scale, on which translations have similar values for any size
// of the text (Taskar, Lacoste-Julien & Klein 2005, section 3.2). Share of several links. Memory:
// 16 bytes a word.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/fertility_sampler.h"

namespace trellis::align {

enum class FrequencyBucket : std::uint8_t {
  kUnknown,   // never seen
  kRare,      // up to 3 times
  kUncommon,  // up to 30 times
  kCommon,
  kFrequent,  // more than 30 times, and at least 0.1 % of all tokens
};
inline constexpr Index kFrequencyBuckets = 5;
inline constexpr std::array<std::string_view, kFrequencyBuckets> kFrequencyBucketNames = {
    "unknown", "rare", "uncommon", "common", "frequent"};

struct WordFacts {
  FrequencyBucket bucket = FrequencyBucket::kUnknown;
  // log(1 + number of more frequent words) / log(1 + words): 0 … 1. Equally frequent words have one
  // rank; unknown words have the last.
  float rank = 1;
  float several = 0;               // share of occurrences with two links or more
  float several_by_fertility = 0;  // r(φ ≥ 2 | word), if the model has fertilities
};

class WordKnowledge {
 public:
  // By word; `fertilities` may be null.
  WordKnowledge(std::span<const std::uint32_t> counts, std::span<const float> several,
                const FertilityTable* fertilities);

  const WordFacts& of(WordId word) const { return word < facts_.size() ? facts_[word] : unknown_; }

 private:
  std::vector<WordFacts> facts_;
  WordFacts unknown_;  // `several` is the mean over all occurrences
};

}  // namespace trellis::align
