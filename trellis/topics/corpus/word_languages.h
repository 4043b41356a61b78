// Which language words are of, by where they occur.
//
// Of word v and language l the counts n_vl: how often v occurs in documents of l. A word may be of
// several ("table", "information"); it mostly is of the one that has it most often for its size,
// argmax_l n_vl / Σ_v' n_v'l, so that a corpus with ten times as much English as French does not
// make English of French words that English documents quote.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

struct WordLanguages {
  Index num_languages = 0;
  std::vector<std::uint64_t> counts;  // words × languages
  std::vector<std::uint64_t> totals;  // Σ_v n_vl

  Index num_words() const { return num_languages == 0 ? 0 : counts.size() / num_languages; }
  std::span<const std::uint64_t> of(Index word) const {
    return std::span(counts).subspan(word * num_languages, num_languages);
  }
  // Of equals the first; kNoLabel where no document with a language has the word. Exact: no
  // rounding decides.
  Label mostly(Index word) const;
};

// Languages are numbered as in the corpus; documents without one are passed over. Time in the
// tokens, memory in words times languages.
WordLanguages count_word_languages(const Corpus& corpus);

}  // namespace trellis::topics
