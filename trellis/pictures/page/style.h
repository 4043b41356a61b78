// The one style sheet of all reports.
#pragma once

#include <string_view>

namespace trellis::report {

// CSS without references to anything outside the page, and without "<", so that it can stand in a
// <style> element as it is.
std::string_view style_sheet();

}  // namespace trellis::report
