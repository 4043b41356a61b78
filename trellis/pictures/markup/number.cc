#include "trellis/pictures/markup/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace trellis::report {
namespace {

constexpr std::string_view kNotKnown = "–";
constexpr std::string_view kInfinity = "∞";
constexpr std::string_view kMinus = "−";
constexpr std::string_view kNarrowNoBreakSpace = "\u202F";

bool is_zero(std::string_view digits) {
  return digits.find_first_of("123456789") == std::string_view::npos;
}

// `digits` is the text of |x|; a number that was rounded to zero has no sign.
std::string with_sign(double x, std::string_view digits) {
  const bool minus = std::signbit(x) && !is_zero(digits);
  return fmt::format("{}{}", minus ? kMinus : "", digits);
}

std::string format_non_finite(double x) {
  if (std::isnan(x)) return std::string(kNotKnown);
  return fmt::format("{}{}", x < 0 ? kMinus : "", kInfinity);
}

// "1.500" → "1.5", "2.000" → "2"
void drop_trailing_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
}

// "1.50e+09" → "1.5e9"; the exponent's minus becomes a true one.
std::string scientific(double magnitude, int digits) {
  const std::string raw = fmt::format("{:.{}e}", magnitude, digits - 1);
  const std::size_t e = raw.find('e');
  std::string mantissa = raw.substr(0, e);
  drop_trailing_zeros(mantissa);
  const int exponent = std::stoi(raw.substr(e + 1));
  return fmt::format("{}e{}{}", mantissa, exponent < 0 ? kMinus : "", std::abs(exponent));
}

}  // namespace

std::string format_count(Index n) {
  const std::string digits = fmt::format("{}", n);
  std::string out;
  for (Index i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += kNarrowNoBreakSpace;
    out += digits[i];
  }
  return out;
}

std::string format_fixed(double x, int decimals) {
  if (!std::isfinite(x)) return format_non_finite(x);
  // Beyond 2^53 the digits are meaningless, and 1e308 would have three hundred digits.
  if (std::abs(x) >= 9007199254740992.0) return format_significant(x, 6);
  return with_sign(x, fmt::format("{:.{}f}", std::abs(x), decimals));
}

std::string format_percent(double share) {
  return format_fixed(100 * share, 2);
}

std::string format_significant(double x, int digits) {
  if (!std::isfinite(x)) return format_non_finite(x);
  const double magnitude = std::abs(x);
  if (magnitude == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  if (exponent < -4 || exponent >= 6) return with_sign(x, scientific(magnitude, digits));
  std::string plain = fmt::format("{:.{}f}", magnitude, std::max(0, digits - 1 - exponent));
  drop_trailing_zeros(plain);
  return with_sign(x, plain);
}

int decimals_for(double largest) {
  constexpr int kMost = 12;
  int decimals = 2;
  if (largest >= 0.1 || !(largest > 0)) return decimals;
  for (; largest < 1 && decimals < kMost; largest *= 10) ++decimals;
  return decimals;
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return format_non_finite(std::nan(""));
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1e12) return format_significant(seconds, 3) + " s";
  const auto whole = static_cast<unsigned long long>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace trellis::report
