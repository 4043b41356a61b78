// The evidence from which the features of a sentence pair are made: views of the generative model,
// association of words in its text, spelling, and links of other aligners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/tasks/align/features/generative_views.h"
#include "trellis/tasks/align/features/orthography.h"
#include "trellis/tasks/align/features/word_knowledge.h"

namespace trellis::align {

// The two largest of some numbers ≥ 0; missing ones are 0.
struct BestTwo {
  float first = 0, second = 0;

  void add(float value) {
    if (value > first) {
      second = first;
      first = value;
    } else if (value > second) {
      second = value;
    }
  }
  // The largest of the other numbers; `value` must be one of the numbers.
  float best_other(float value) const { return value == first ? second : first; }
};

// The links of another aligner.
struct ExternalEvidence {
  Grid<std::uint8_t> linked;
  std::vector<std::uint8_t> source_linked, target_linked;  // words with a link

  // Throws UsageError for a link of a word that does not exist.
  void assign(std::span<const Link> links, Index num_source, Index num_target);
};

struct PairEvidence {
  Index num_source = 0, num_target = 0;
  std::vector<WordId> source, target;
  std::vector<WordFacts> source_facts, target_facts;
  // May be longer than the sentences: memory for the longest one so far.
  std::vector<WordForm> source_forms, target_forms;
  std::vector<ViewEvidence> views;  // first that of the aligner itself

  Grid<std::uint8_t> in_lexicon;     // the lexicon has an entry
  Grid<float> forward_t, reverse_t;  // log t(f | e), log t(e | f)
  Grid<float> dice;                  // 0 without an entry
  std::vector<BestTwo> source_dice, target_dice;
  std::vector<ExternalEvidence> externals;

  // 0 for links outside the sentences.
  double dice_at(std::ptrdiff_t i, std::ptrdiff_t j) const {
    if (i < 0 || j < 0 || i >= static_cast<std::ptrdiff_t>(num_source) ||
        j >= static_cast<std::ptrdiff_t>(num_target)) {
      return 0;
    }
    return double{dice(static_cast<Index>(i), static_cast<Index>(j))};
  }
  // The largest product of any view.
  float product(Index i, Index j) const;

  // Fills the grids from `source` and `target`; `entry_dice` is by entry of the lexicon.
  void look_up(const LexiconView& lexicon, std::span<const float> entry_dice);
};

}  // namespace trellis::align
