// The links of a sentence pair as a grid: rows are source words, columns are target words, and a
// cell shows its link.
//
//   gold         a square around sure links, a circle around possible links
//   found        filled; more opaque for more probable links
//   not found    a small mark for probable links
//   mistakes     a cross through wrong links, a thick square for missed sure links
//
// Shape and width carry all of this; colour repeats it. Pointing at a cell shows its words and
// probability. Cells are as large as the pair allows. Long words are shortened; a sentence of more
// than kMaxGridWords words is cut after them, and the page says so.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

inline constexpr Index kMaxGridWords = 80;

struct AlignmentGrid {
  std::string name;  // "line 12"; may be empty
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<ScoredLink> found;
  std::vector<ScoredLink> cells;         // of links found or not; improbable ones are left out
  std::optional<align::GoldLinks> gold;  // empty: gold links are unknown
};

enum class LinkVerdict {
  kPassed,    // neither found nor gold
  kFound,     // found; gold is unknown
  kPossible,  // possible, not found; no mistake
  kAllowed,   // found and possible
  kRight,     // found and sure
  kMissed,    // sure, not found
  kWrong,     // found, not possible
};

struct LinkMark {
  Link link;
  LinkVerdict verdict = LinkVerdict::kPassed;
  double probability = std::numeric_limits<double>::quiet_NaN();  // NaN: too small to be recorded
};

// All links that have a mark in the grid, each once, sorted.
std::vector<LinkMark> link_marks(const AlignmentGrid& grid);

Html alignment_grid(const AlignmentGrid& grid);

// The legend of the marks, with or without gold links.
Html alignment_legend(bool gold);

}  // namespace trellis::report
