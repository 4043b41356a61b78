// The manual word alignment of a sentence pair (Och & Ney 2003): sure links (S), which an aligner
// should find, and possible links (P ⊇ S), which it may find. link_reader.h reads them from files.
#pragma once

#include <vector>

#include "trellis/data/links.h"

namespace trellis::align {

struct GoldLinks {
  Links sure;
  Links possible;  // the sure ones too
  // Of the possible links, in their order, if the file has any in this pair; a link without a
  // probability then has 1. Otherwise empty.
  std::vector<double> probabilities;

  friend bool operator==(const GoldLinks&, const GoldLinks&) = default;
};

}  // namespace trellis::align
