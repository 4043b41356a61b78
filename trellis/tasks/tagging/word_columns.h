// A sentence as input of a word tagger: columns of a constant, the word and, for training, its tag.
//
// The constant comes first so that no word is read as a special line of a column file: a comment or
// "-DOCSTART-".
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::tagging {

inline constexpr std::string_view kConstant = "w";
inline constexpr Index kWordColumn = 1;
inline constexpr Index kTagColumn = 2;

// Words and tags as lines, for training.
struct TaggedText {
  std::string lines;

  void add(std::string_view word, std::string_view tag) {
    ((((lines += kConstant) += '\t') += word) += '\t') += tag;
    lines += '\n';
  }
  void end_sentence() { lines += '\n'; }
};

}  // namespace trellis::tagging
