// The cells of one sentence pair during EM: which entries of the lexicon they are, the grids of
// log t that they fill, and what posteriors of links add to the lexicon's counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/entry_index.h"
#include "trellis/generative/alignment/lexicon.h"

namespace trellis {

// How links are counted.
struct LinkCounting {
  bool agree = false;  // as often as both directions see them (expectation_maximisation.h)
  bool alone = true;   // no other thread counts
};

class PairCells {
 public:
  // The grids (position_model.h) have J rows of I + 1 and I rows of J + 1 numbers.
  void fill(WordPair pair, const EntryIndex& index, const LexiconView& lexicon,
            std::span<double> forward, std::span<double> reverse);
  // Posteriors in such grids, of the pair that was filled in last.
  void count(WordPair pair, std::span<const double> forward, std::span<const double> reverse,
             LinkCounting how, LexiconCounts& counts) const;

 private:
  std::vector<std::uint32_t> entries_;  // I rows of J
};

}  // namespace trellis
