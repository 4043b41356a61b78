// What a text says of its words, counted with an aligner's best alignments: what a model that
// learns from links sees beside the aligner itself. The forward links give each target word one
// source word or none, the reverse ones each source word one target word or none
// (generative/alignment/word_aligner.h); their intersection is the third set.
//
// Of two words that follow each other, at i and i + 1, a set of links is
//
//   monotone   where for some j  i is linked with j,      i + 1 with j + 1
//   inverted   where for some j  i is linked with j + 1,  i + 1 with j
//   shared     where for some j  i is linked with j,      i + 1 with j
//
// the patterns of pairs of links of Lacoste-Julien, Taskar, Klein & Jordan (2006); Lacoste-Julien
// (2009), section 3.4.1.3. A word's share of occurrences with several links is what they know of
// its fertility (3.4.1.2), and the Dice coefficient what Taskar, Lacoste-Julien & Klein (2005) know
// of two words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis::align {

// Of pairs of words that follow each other in sentences of one side: in which share of their
// occurrences each set of links has each pattern. Memory: 44 bytes a pair.
class BigramPatterns {
 public:
  enum Set : std::uint8_t { kForward, kReverse, kIntersection };
  enum Pattern : std::uint8_t { kMonotone, kInverted, kShared };
  static constexpr Index kSets = 3, kPatterns = 3, kShares = kSets * kPatterns;
  // Where a share stands among those of a pair of words.
  static constexpr Index place(Set set, Pattern pattern) { return set * kPatterns + pattern; }
  static constexpr std::uint64_t key(WordId first, WordId second) {
    return (std::uint64_t{first} << 32) | second;
  }

  BigramPatterns() = default;
  // Throws UsageError unless keys ascend and each has kShares shares, from 0 to 1.
  BigramPatterns(std::vector<std::uint64_t> keys, std::vector<float> shares);

  Index size() const { return keys_.size(); }
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const float> shares() const { return shares_; }

  // The kShares shares, or nothing where the two are not seen often enough. Logarithmic.
  std::span<const float> find(WordId first, WordId second) const;

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<float> shares_;
};

struct TextStatistics {
  Index frequent = 5;  // pairs of words that follow each other less often are not known
  std::vector<std::uint32_t> source_counts, target_counts;  // tokens of each word
  std::vector<float> dice;                                  // by entry of the model's lexicon
  BigramPatterns source, target;
  // By word: the share of its occurrences with two links or more, in the direction in which it may
  // have them: forward of a source word, reverse of a target word.
  std::vector<float> source_several, target_several;
};

// Throws UsageError unless all is as large as the vocabularies and the lexicon are, shares are from
// 0 to 1, and pairs of words are pairs of words.
void check(const TextStatistics& statistics, Index source_words, Index target_words, Index entries);

}  // namespace trellis::align
