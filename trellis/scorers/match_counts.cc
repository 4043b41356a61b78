#include "trellis/scorers/match_counts.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <charconv>

namespace trellis::tag {
namespace {

// By bytes, as C and Perl count the width of %17s.
std::string right_aligned(std::string text, Index width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

}  // namespace

std::string format_percent(double value) {
  char digits[400];  // the longest double has 309 digits before the point
  const std::to_chars_result result =
      std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::fixed, 2);
  return right_aligned(std::string(digits, result.ptr), 6);
}

double MatchCounts::f1() const {
  const double p = precision();
  const double r = recall();
  return p + r == 0 ? 0 : 2 * p * r / (p + r);
}

std::string format_figures(const MatchCounts& counts) {
  return "precision: " + format_percent(counts.precision()) +
         "%; recall: " + format_percent(counts.recall()) + "%; FB1: " + format_percent(counts.f1());
}

std::string format_counts(std::string_view name, const MatchCounts& counts) {
  return fmt::format("{}: {}  {}", right_aligned(std::string(name), 17), format_figures(counts),
                     counts.found);
}

}  // namespace trellis::tag
