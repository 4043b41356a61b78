// The words of a line of parallel text or of a word alignment file: what blanks separate. Blanks
// are space, tab, LF, VT, FF and CR, as in Perl, in which the official scripts are written.
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::align {

constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The first `most` words of the text, as views into it.
inline void append_words(std::string_view text, std::vector<std::string_view>& words,
                         Index most = std::numeric_limits<Index>::max()) {
  for (Index i = 0; most > 0; --most) {
    while (i < text.size() && is_blank(text[i])) ++i;
    if (i == text.size()) return;
    const Index begin = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    words.push_back(text.substr(begin, i - begin));
  }
}

}  // namespace trellis::align
