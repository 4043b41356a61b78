// The links of a sentence pair as a grid: source words are rows, target words columns, and a cell
// says what is known about its link.
//
//   gold         a square is drawn around sure links, a circle around possible ones
//   found        links are filled, the more strongly the more likely they are
//   not found    likely links have a small mark all the same
//   mistakes     a wrong link is crossed out; a sure link that was missed has a thick square
//
// Shape and width tell all of this; colour repeats it. Pointing at a cell shows its words and
// probability. Cells are as large as the pair allows; long words are cut, and of sentences beyond
// kMaxGridWords words the first ones are shown, which is stated.
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
  std::vector<ScoredLink> cells;         // of links that may not be found; small ones are left out
  std::optional<align::GoldLinks> gold;  // nothing: it is not known which links are right
};

enum class LinkVerdict {
  kPassed,    // not found, nor gold
  kFound,     // and nobody knows whether it is right
  kPossible,  // not found, which is no mistake
  kAllowed,   // found, and possible
  kRight,     // found, and sure
  kMissed,    // sure, and not found
  kWrong,     // found, and not possible
};

struct LinkMark {
  Link link;
  LinkVerdict verdict = LinkVerdict::kPassed;
  double probability = std::numeric_limits<double>::quiet_NaN();  // NaN: too small to be told
};

// All links that the grid says anything about, each once, sorted.
std::vector<LinkMark> link_marks(const AlignmentGrid& grid);

Html alignment_grid(const AlignmentGrid& grid);

// How to read them; with gold links, or without.
Html alignment_legend(bool gold);

}  // namespace trellis::report
