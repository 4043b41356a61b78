// The one style sheet of all reports.
#pragma once

#include <string_view>

namespace trellis::report {

// CSS without references to anything outside the page, and without "<", so that a <style> element
// can contain it unchanged.
std::string_view style_sheet();

}  // namespace trellis::report
