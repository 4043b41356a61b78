// A sentence as a tagger of words reads it: columns of a constant, the word and, to learn from, its
// tag.
//
// The constant comes first so that no word is taken for what a line of a column file may be
// besides: a comment, "-DOCSTART-".
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::tagging {

inline constexpr std::string_view kConstant = "w";
inline constexpr Index kWordColumn = 1;
inline constexpr Index kTagColumn = 2;

// Words and tags as lines, to be learned from.
struct TaggedText {
  std::string lines;

  void add(std::string_view word, std::string_view tag) {
    ((((lines += kConstant) += '\t') += word) += '\t') += tag;
    lines += '\n';
  }
  void end_sentence() { lines += '\n'; }
};

}  // namespace trellis::tagging
