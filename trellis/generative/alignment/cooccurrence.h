// Which words occur together: for each source word e the target words f of its sentences, in
// ascending order, with how often. The support of every lexicon, and what association measures are
// made of.
//
// Source words are taken one at a time, over the sentences that have them, so the table grows to
// what is kept and nothing else: O(Σ I J) time, 8 bytes for an entry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"

namespace trellis {

// Entries in rows by source word: those of e are row_begin[e] … row_begin[e+1] − 1.
struct Cooccurrence {
  std::vector<Index> row_begin;
  std::vector<WordId> targets;
  std::vector<std::uint32_t> counts;                        // Σ over sentences of min(#e, #f)
  std::vector<std::uint32_t> source_counts, target_counts;  // tokens of each word

  Index size() const { return targets.size(); }
};

Cooccurrence count_cooccurrences(const Bitext& bitext, int threads);

// The counts of these entries alone, which may be of words that the bitext does not have: rows by
// source word, of ascending target words. 4 bytes an entry.
std::vector<std::uint32_t> count_cooccurrences(const Bitext& bitext,
                                               std::span<const Index> row_begin,
                                               std::span<const WordId> targets, int threads);

// Tokens of each word, of which there are `words`.
std::vector<std::uint32_t> token_counts(std::span<const WordId> tokens, Index words);

}  // namespace trellis
