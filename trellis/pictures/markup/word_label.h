// Arbitrary words as the labels of a picture: of any length and in any direction.
//
// The fonts of the reader are unknown when a page is made, so widths are generous estimates: a
// picture reserves this space, and clips wider text.
#pragma once

#include <string>
#include <string_view>

namespace trellis::report {

// The approximate width of a text, in units of the font size.
double text_width(std::string_view text);

// The text, or as much of its beginning as fits with an ellipsis into `width`, which is in units of
// the font size and at least 1. Ill-formed UTF-8 becomes U+FFFD.
std::string fit_text(std::string_view text, double width);

// Encloses text that may run from right to left in the isolates of Unicode (UAX #9, FSI and PDI),
// so that neither the ellipsis nor adjacent text changes places with it. Other text is unchanged.
std::string isolated(std::string_view text);

}  // namespace trellis::report
