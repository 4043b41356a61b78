// A strict reader of the pages that reports write: what XML demands of them, and what a browser
// would show of them.
#pragma once

#include <string>
#include <string_view>

namespace trellis::report {

// The first fault, with its place — an element that is not closed, an attribute without quotes, a
// bare & or <, ill-formed UTF-8 — or "" if there is none. Accepts fragments and whole pages.
std::string find_markup_fault(std::string_view html);

// The text without tags, entities resolved. The content of <style> and <script> is left out.
std::string visible_text(std::string_view html);

// How often `needle` occurs.
int count_of(std::string_view text, std::string_view needle);

}  // namespace trellis::report
