// Statistics of the words of a text, counted with the best alignments of an aligner. A model that
// learns from links uses them as features, in addition to the aligner. Forward links give each
// target word at most one source word, reverse links each source word at most one target word
// (generative/alignment/word_aligner.h); their intersection is the third set.
//
// For two consecutive words, at i and i + 1, a set of links is
//
//   monotone   if for some j  i is linked with j,      i + 1 with j + 1
//   inverted   if for some j  i is linked with j + 1,  i + 1 with j
//   shared     if for some j  i is linked with j,      i + 1 with j
//
// These are the patterns of pairs of links of Lacoste-Julien, Taskar, Klein & Jordan (2006);
// Lacoste-Julien (2009), section 3.4.1.3. The share of a word's occurrences with several links
// estimates its fertility (3.4.1.2); the Dice coefficient measures the association of two words
// (Taskar, Lacoste-Julien & Klein 2005).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis::align {

// For pairs of consecutive words of one side: the share of their occurrences in which each set of
// links has each pattern. Memory: 44 bytes a pair.
class BigramPatterns {
 public:
  enum Set : std::uint8_t { kForward, kReverse, kIntersection };
  enum Pattern : std::uint8_t { kMonotone, kInverted, kShared };
  static constexpr Index kSets = 3, kPatterns = 3, kShares = kSets * kPatterns;
  // The index of a share among those of a pair of words.
  static constexpr Index place(Set set, Pattern pattern) { return set * kPatterns + pattern; }
  static constexpr std::uint64_t key(WordId first, WordId second) {
    return (std::uint64_t{first} << 32) | second;
  }

  BigramPatterns() = default;
  // Throws UsageError unless keys ascend and each has kShares shares from 0 to 1.
  BigramPatterns(std::vector<std::uint64_t> keys, std::vector<float> shares);

  Index size() const { return keys_.size(); }
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const float> shares() const { return shares_; }

  // The kShares shares; empty for a pair that is too rare. Logarithmic time.
  std::span<const float> find(WordId first, WordId second) const;

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<float> shares_;
};

struct TextStatistics {
  Index frequent = 5;  // rarer pairs of consecutive words have no statistics
  std::vector<std::uint32_t> source_counts, target_counts;  // tokens of each word
  std::vector<float> dice;                                  // by entry of the model's lexicon
  BigramPatterns source, target;
  // By word: the share of its occurrences with two links or more, in the direction that allows
  // several: forward for a source word, reverse for a target word.
  std::vector<float> source_several, target_several;
};

// Throws UsageError unless sizes match the vocabularies and the lexicon, shares are from 0 to 1,
// and word numbers are valid.
void check(const TextStatistics& statistics, Index source_words, Index target_words, Index entries);

}  // namespace trellis::align
