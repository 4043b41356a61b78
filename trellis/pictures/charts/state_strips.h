// Sequences of states as coloured strips, the truth above what was found: runs of one state are one
// box, and a mark stands between the strips wherever they differ.
//
// Colours repeat what the names say, which stand in the boxes that have room for them, in the
// legend, and where one points at a box.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

struct StateSequence {
  std::string caption;
  // Numbers of states; any negative one is a state that is not known, and no mistake.
  std::vector<Label> truth;
  std::vector<Label> found;  // as long as the truth
};

// What is longer is cut, and told.
inline constexpr Index kMaxStripPositions = 480;

Html state_strips(const StateSequence& sequence, std::span<const std::string> states);
Html state_legend(std::span<const std::string> states);

}  // namespace trellis::report
