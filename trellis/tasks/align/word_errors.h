// Which words an aligner gets wrong most often.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/links/bitext_reader.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/tasks/align/decoding.h"

namespace trellis::align {

enum class Side { kSource, kTarget };

// Of all links of a word, in all pairs.
struct WordErrors {
  std::string word;
  Index sure = 0;
  Index missed = 0;  // of the sure ones
  Index found = 0;
  Index wrong = 0;  // of those found: not even possible

  Index errors() const { return missed + wrong; }
};

// Up to `top` words with mistakes, those with the most first, and of equally many in the order of
// their bytes. The three lists are equally long; `lowercase`: capitals make no other word.
std::vector<WordErrors> most_mistaken(std::span<const SentencePair> pairs,
                                      std::span<const AlignedLinks> found,
                                      std::span<const GoldLinks> gold, Side side, bool lowercase,
                                      Index top);

}  // namespace trellis::align
