// Colours for kinds of things of which there may be many: classes of documents, groups of topics.
// Twenty colours that differ in hue or lightness, with a contrast to the background of at least 1.9
// : 1 in light and 3 : 1 in dark mode; then they repeat. So a name always accompanies a colour.
#pragma once

#include <string_view>

#include "trellis/base/types.h"

namespace trellis::report {

inline constexpr Index kPaletteSize = 20;
std::string_view palette_colour(Index kind);  // "#3b75af"
inline constexpr std::string_view kNoKindColour = "#8a8f94";

}  // namespace trellis::report
