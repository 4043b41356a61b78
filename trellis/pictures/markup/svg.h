// What the pictures of this layer share: how numbers are written in SVG, and samples for legends.
#pragma once

#include <string>

#include "trellis/pictures/markup/markup.h"

namespace trellis::report {

// In picture units: a tenth of one is not seen.
std::string coordinate(double x);

// A sample that stands in front of its name, in a box of 28 × 12.
Html swatch(const Html& content);

}  // namespace trellis::report
