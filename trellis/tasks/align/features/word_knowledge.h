// What is known of the words of a side. How often they are seen in the text that statistics were
// counted in: buckets, and ranks on a logarithmic scale, on which translations stand near each
// other whatever the size of the text (Taskar, Lacoste-Julien & Klein 2005, section 3.2). How often
// they have several links. Memory: 16 bytes a word.
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
  kFrequent,  // more than 30 times, and a thousandth of all tokens or more
};
inline constexpr Index kFrequencyBuckets = 5;
inline constexpr std::array<std::string_view, kFrequencyBuckets> kFrequencyBucketNames = {
    "unknown", "rare", "uncommon", "common", "frequent"};

struct WordFacts {
  FrequencyBucket bucket = FrequencyBucket::kUnknown;
  // log(1 + the number of words that are seen more often) / log(1 + words): 0 … 1. Words that are
  // seen equally often have one rank; words that are not known have the last.
  float rank = 1;
  float several = 0;               // the share of its occurrences with two links or more
  float several_by_fertility = 0;  // r(φ ≥ 2 | word), where the model has fertilities
};

class WordKnowledge {
 public:
  // By word; a fertility table that is null is none.
  WordKnowledge(std::span<const std::uint32_t> counts, std::span<const float> several,
                const FertilityTable* fertilities);

  const WordFacts& of(WordId word) const { return word < facts_.size() ? facts_[word] : unknown_; }

 private:
  std::vector<WordFacts> facts_;
  WordFacts unknown_;  // several: the mean over all occurrences
};

}  // namespace trellis::align
