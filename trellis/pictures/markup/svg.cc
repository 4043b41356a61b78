#include "trellis/pictures/markup/svg.h"

#include <fmt/format.h>

namespace trellis::report {

std::string coordinate(double x) {
  std::string digits = fmt::format("{:.1f}", x);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits == "-0" ? "0" : digits;
}

Html swatch(const Html& content) {
  return element("svg", {{"class", "swatch"}, {"viewBox", "0 0 28 12"}, {"aria-hidden", "true"}},
                 content);
}

}  // namespace trellis::report
