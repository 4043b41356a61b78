// All that is known of the words and possible links of one sentence pair before features are made
// of it: what the generative model sees, how strongly words are associated in its text, how they
// are spelt, and what other aligners say.
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

// The two largest of some numbers ≥ 0; 0 where there are fewer.
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
  // The largest of the others, where `value` is one of the numbers.
  float best_other(float value) const { return value == first ? second : first; }
};

// What another aligner has found.
struct ExternalEvidence {
  Grid<std::uint8_t> linked;
  std::vector<std::uint8_t> source_linked, target_linked;  // words with a link

  // UsageError for a link of a word that there is not.
  void assign(std::span<const Link> links, Index num_source, Index num_target);
};

struct PairEvidence {
  Index num_source = 0, num_target = 0;
  std::vector<WordId> source, target;
  std::vector<WordFacts> source_facts, target_facts;
  // May be longer than the sentences: memory for the longest so far.
  std::vector<WordForm> source_forms, target_forms;
  std::vector<ViewEvidence> views;  // the aligner as it is first

  Grid<std::uint8_t> in_lexicon;     // the lexicon has an entry
  Grid<float> forward_t, reverse_t;  // log t(f | e), log t(e | f)
  Grid<float> dice;                  // 0 without an entry
  std::vector<BestTwo> source_dice, target_dice;
  std::vector<ExternalEvidence> externals;

  // Of links beyond the sentences: 0.
  double dice_at(std::ptrdiff_t i, std::ptrdiff_t j) const {
    if (i < 0 || j < 0 || i >= static_cast<std::ptrdiff_t>(num_source) ||
        j >= static_cast<std::ptrdiff_t>(num_target)) {
      return 0;
    }
    return double{dice(static_cast<Index>(i), static_cast<Index>(j))};
  }
  // The largest product of any view.
  float product(Index i, Index j) const;

  // From `source` and `target`; `entry_dice` is by entry of the lexicon.
  void look_up(const LexiconView& lexicon, std::span<const float> entry_dice);
};

}  // namespace trellis::align
