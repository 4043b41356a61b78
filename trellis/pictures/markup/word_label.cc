#include "trellis/pictures/markup/word_label.h"

#include <utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "trellis/base/types.h"

namespace trellis::report {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kFirstStrongIsolate = "\u2068";
constexpr std::string_view kPopDirectionalIsolate = "\u2069";

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};
// Marks that stand on other letters, and what is not seen. They still count for something, so that
// a word of a thousand of them is cut.
constexpr std::array<CodeRange, 8> kMarks = {{{0x0300, 0x036F},
                                              {0x0483, 0x0489},
                                              {0x0591, 0x05C7},
                                              {0x0610, 0x061A},
                                              {0x064B, 0x065F},
                                              {0x200B, 0x200F},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F}}};
// As wide as high (after UAX #11): Hangul, kana, ideographs, full-width forms, pictographs.
constexpr std::array<CodeRange, 6> kWide = {{{0x1100, 0x115F},
                                             {0x2E80, 0xA4CF},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFF60},
                                             {0x1F000, 0x3FFFD}}};
// Scripts that run from right to left, and the characters that turn others round (UAX #9).
constexpr std::array<CodeRange, 8> kTurning = {{{0x0590, 0x08FF},
                                                {0x200E, 0x200F},
                                                {0x202A, 0x202E},
                                                {0x2066, 0x2069},
                                                {0xFB1D, 0xFDFF},
                                                {0xFE70, 0xFEFF},
                                                {0x10800, 0x10FFF},
                                                {0x1E800, 0x1EFFF}}};

bool lies_in(std::span<const CodeRange> ranges, std::uint32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const CodeRange& r) { return r.first <= c && c <= r.last; });
}

double letter_width(std::uint32_t c) {
  constexpr std::string_view kNarrow = "!'(),-./:;I[]fijlrt|";
  constexpr std::string_view kBroad = "%@MWmw";
  if (c < 0x80) {
    const char letter = static_cast<char>(c);
    if (kNarrow.find(letter) != std::string_view::npos) return 0.38;
    if (kBroad.find(letter) != std::string_view::npos) return 0.95;
    return letter >= 'A' && letter <= 'Z' ? 0.72 : 0.6;
  }
  if (lies_in(kMarks, c)) return 0.1;
  return lies_in(kWide, c) ? 1.05 : 0.65;
}

std::string well_formed(std::string_view text) {
  std::string valid;
  utf8::replace_invalid(text.begin(), text.end(), std::back_inserter(valid), 0xFFFD);
  return valid;
}

// The bytes of the longest beginning that is no wider, and its width.
struct Beginning {
  Index bytes = 0;
  double width = 0;
};
Beginning beginning_within(const std::string& valid, double width) {
  Beginning best;
  for (auto at = valid.begin(); at != valid.end();) {
    const double wider = best.width + letter_width(utf8::unchecked::next(at));
    if (wider > width) break;
    best = {static_cast<Index>(at - valid.begin()), wider};
  }
  return best;
}

}  // namespace

double text_width(std::string_view text) {
  return beginning_within(well_formed(text), std::numeric_limits<double>::infinity()).width;
}

std::string fit_text(std::string_view text, double width) {
  std::string valid = well_formed(text);
  if (beginning_within(valid, width).bytes == valid.size()) return valid;
  valid.resize(beginning_within(valid, width - text_width(kEllipsis)).bytes);
  return valid.append(kEllipsis);
}

std::string isolated(std::string_view text) {
  std::string valid = well_formed(text);
  bool plain = true;
  for (auto at = valid.begin(); at != valid.end();) {
    if (lies_in(kTurning, utf8::unchecked::next(at))) plain = false;
  }
  if (plain) return valid;
  return std::string(kFirstStrongIsolate).append(valid).append(kPopDirectionalIsolate);
}

}  // namespace trellis::report
