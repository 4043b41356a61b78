#include "trellis/pictures/markup/palette.h"

#include <array>

namespace trellis::report {
namespace {

constexpr std::array<std::string_view, kPaletteSize> kColours = {
    "#3572b0", "#e57b1f", "#3f9a4a", "#cf3e3a", "#8c63b8", "#8a5a44", "#d56fb4",
    "#9a9a22", "#1fa5b8", "#5c6670", "#7fa8d6", "#e6a863", "#86bd7a", "#e58a86",
    "#b59ad3", "#b98f7b", "#e4a3cf", "#bdb84f", "#74c3cf", "#97a1aa"};

}  // namespace

std::string_view palette_colour(Index kind) {
  return kColours[kind % kPaletteSize];
}

}  // namespace trellis::report
