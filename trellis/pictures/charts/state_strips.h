// Sequences of states as coloured strips, the true states above the predicted ones: a run of one
// state is one box, and a mark between the strips shows each difference.
//
// Colours repeat the names, which appear in boxes that are wide enough, in the legend, and when the
// pointer is over a box.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

struct StateSequence {
  std::string caption;
  // Numbers of states; a negative number is an unknown state, which is never a mistake.
  std::vector<Label> truth;
  std::vector<Label> found;  // as long as the truth
};

// Longer sequences are cut, and the page says so.
inline constexpr Index kMaxStripPositions = 480;

Html state_strips(const StateSequence& sequence, std::span<const std::string> states);
Html state_legend(std::span<const std::string> states);

}  // namespace trellis::report
