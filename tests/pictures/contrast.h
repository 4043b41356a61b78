// How well colours can be told from each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace trellis::report {

using Colour = std::array<double, 3>;  // red, green, blue from 0 to 255

// WCAG 2.1: relative luminance and contrast ratio.
inline double luminance(const Colour& c) {
  const auto linear = [](double x) {
    x /= 255;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
}

inline double contrast(const Colour& a, const Colour& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace trellis::report
