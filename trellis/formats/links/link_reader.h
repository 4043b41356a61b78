// Reader of word alignments, manual or of another program, in any format of links_format.h:
// Pharaoh, NAACL or GIZA++. The first line that is not blank shows which format it is.
//
// A link given twice counts once: sure if one of the two is sure, with the larger probability.
// Links to the empty word (NAACL's word 0, GIZA++'s NULL) are left out by default.
//
// InputError reports file, line and what was expected: text that is not a link, links of words or
// sentences that do not exist, more or fewer pairs than the text has. In Pharaoh's format a blank
// line is a pair without a link; in the others blank lines are skipped. A NAACL file does not name
// pairs without a link, so an empty file is accepted if that format is given.
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
  bool swap = false;                  // the target's word comes first in the file
};

// The largest number of a NAACL sentence if the number of sentences is unknown.
inline constexpr Index kMaxUnknownSentences = Index{1} << 20;

// The links of each pair, without those to the empty word. `lengths` are those of the text, or
// empty if the text is unknown.
std::vector<GoldLinks> read_links(InputFile file, std::span<const PairLengths> lengths,
                                  const LinkReadingOptions& options = {});

}  // namespace trellis::align
