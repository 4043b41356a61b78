// Counts of gold items, of found items, and of items that are both; their precision, recall and F1;
// and the text that conlleval prints of them (Tjong Kim Sang & Buchholz 2000; conlleval.h).
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/share.h"
#include "trellis/base/types.h"

namespace trellis::tag {

// `value` with two digits behind the point, right-aligned in six columns: as printf's %6.2f, but
// the same in every locale.
std::string format_percent(double value);

// All figures are in percent, and computed in the order of operations of conlleval, so that they
// round as its figures do: p = 100 c/f, r = 100 c/g, F1 = 2pr/(p + r), each 0 where it has no
// denominator.
struct MatchCounts {  // of things that were to be found, were found, and were both
  Index gold = 0;
  Index found = 0;
  Index correct = 0;

  double precision() const { return percent(correct, found); }
  double recall() const { return percent(correct, gold); }
  double f1() const;

  friend bool operator==(const MatchCounts&, const MatchCounts&) = default;
};

// conlleval's words for the figures; and its line for one type of chunks (or one label), without
// its line feed.
std::string format_figures(const MatchCounts& counts);
std::string format_counts(std::string_view name, const MatchCounts& counts);

struct LabelCounts {
  std::string label;
  MatchCounts counts;

  friend bool operator==(const LabelCounts&, const LabelCounts&) = default;
};

}  // namespace trellis::tag
