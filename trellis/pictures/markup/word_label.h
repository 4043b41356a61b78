// Words that strangers wrote, as the labels of a picture: of any length and in any direction.
//
// Nobody knows the reader's fonts while a page is made, so widths are estimates, generous ones: a
// picture leaves room by them, and clips what still is wider.
#pragma once

#include <string>
#include <string_view>

namespace trellis::report {

// About how wide a text is, in units of the font size.
double text_width(std::string_view text);

// The text, or as much of its beginning as leaves room for an ellipsis within `width`, which is in
// units of the font size and at least 1. Ill-formed UTF-8 becomes U+FFFD.
std::string fit_text(std::string_view text, double width);

// Text that may run from right to left between the isolates of Unicode (UAX #9, FSI and PDI), so
// that neither the ellipsis nor what stands beside it changes places with it. Other text as it is.
std::string isolated(std::string_view text);

}  // namespace trellis::report
