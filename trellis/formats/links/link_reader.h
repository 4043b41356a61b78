// Reader of word alignments, manual or of another program, in any format of links_format.h:
// Pharaoh, NAACL or GIZA++. The first line that is not blank shows which format it is.
//
// A link given twice counts once: sure if one of the two is, with the larger probability. Links to
// the empty word (NAACL's word 0, GIZA++'s NULL) are left out unless asked for.
//
// InputError tells file, line and what was expected: text that is no link, links of words or
// sentences that there are not, more or fewer pairs than the text has. In Pharaoh's format a blank
// line is a pair without a link; in the others blank lines are skipped. A NAACL file tells a pair
// without a link by not naming it, so that an empty file is one of them where that is said.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/formats/links/links_format.h"

namespace trellis::align {

struct PairLengths {
  Index source = 0;
  Index target = 0;
};

struct LinkReadingOptions {
  std::optional<LinksFormat> format;  // not given: recognised
  bool swap = false;                  // the file tells the target's word first
};

// NAACL sentences are numbered up to this where nobody knows how many there are.
inline constexpr Index kMaxUnknownSentences = Index{1} << 20;

// The links of each pair, but for those to the empty word. `lengths` are those of the text, or
// empty where it is not known.
std::vector<GoldLinks> read_links(InputFile file, std::span<const PairLengths> lengths,
                                  const LinkReadingOptions& options = {});

}  // namespace trellis::align
