// The words with the most alignment errors.
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

// Counts over all links of a word, in all pairs.
struct WordErrors {
  std::string word;
  Index sure = 0;
  Index missed = 0;  // sure links not found
  Index found = 0;
  Index wrong = 0;  // found links that are not even possible

  Index errors() const { return missed + wrong; }
};

// Up to `top` words with mistakes, most mistakes first; ties in the order of bytes. The three lists
// have the same length. `lowercase`: words are compared without case.
std::vector<WordErrors> most_mistaken(std::span<const SentencePair> pairs,
                                      std::span<const AlignedLinks> found,
                                      std::span<const GoldLinks> gold, Side side, bool lowercase,
                                      Index top);

}  // namespace trellis::align
