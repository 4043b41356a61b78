// For each source word the sentence pairs that have it, ascending: what a pass over the bitext by
// source words goes along. 4 bytes for each word of each sentence that has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis {

class Occurrences {
 public:
  // Throws UsageError beyond 2^32 − 1 pairs.
  explicit Occurrences(const Bitext& bitext);

  std::span<const std::uint32_t> of(Index e) const {
    return std::span(pairs_).subspan(begin_[e], begin_[e + 1] - begin_[e]);
  }
  // Those of pairs first … end − 1.
  std::span<const std::uint32_t> of(Index e, Index first, Index end) const {
    const std::span<const std::uint32_t> pairs = of(e);
    const auto from = std::lower_bound(pairs.begin(), pairs.end(), first);
    const auto to = std::lower_bound(from, pairs.end(), end);
    return {from, to};
  }

 private:
  std::vector<Index> begin_;
  std::vector<std::uint32_t> pairs_;
};

// Entries in rows by source word, of ascending target words: row e is begin[e] … begin[e+1] − 1.
struct Support {
  std::vector<Index> begin;
  std::vector<WordId> targets;

  Index size() const { return targets.size(); }
};

// All pairs of words that occur together. O(Σ I J) time; memory: 4 bytes an entry, twice.
Support cooccurring(const Bitext& bitext, const Occurrences& occurrences, int threads);

}  // namespace trellis
