#include "trellis/tasks/classify/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "trellis/base/types.h"

namespace trellis::classify {
namespace {

enum class Kind : std::uint8_t {
  kOther,
  kWord,   // goes on with the word before it, or begins one
  kMark,   // goes on with whatever is before it
  kAlone,  // a word of its own
};

constexpr std::array<bool, 128> kAsciiWord = [] {
  std::array<bool, 128> word{};
  for (unsigned char c = 'a'; c <= 'z'; ++c) word[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) word[c] = true;
  for (unsigned char c = '0'; c <= '9'; ++c) word[c] = true;
  word['_'] = true;
  return word;
}();

Kind kind_of(UChar32 code) {
  const std::uint32_t type = U_MASK(u_charType(code));
  if ((type & U_GC_M_MASK) != 0) return Kind::kMark;
  const auto line_break = u_getIntPropertyValue(code, UCHAR_LINE_BREAK);
  const bool letter = (type & (U_GC_L_MASK | U_GC_N_MASK | U_GC_PC_MASK)) != 0;
  const bool unspaced = line_break == U_LB_IDEOGRAPHIC || line_break == U_LB_COMPLEX_CONTEXT ||
                        line_break == U_LB_CONDITIONAL_JAPANESE_STARTER;
  if (letter) return unspaced ? Kind::kAlone : Kind::kWord;
  const bool pictograph = (type & U_GC_SO_MASK) != 0 && code > 0xFF;
  return pictograph ? Kind::kAlone : Kind::kOther;
}

Kind next_kind(std::string_view text, Index& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    ++at;
    return kAsciiWord[byte] ? Kind::kWord : Kind::kOther;
  }
  // Four bytes are enough for any character, and ICU counts in int32_t.
  const auto limit = static_cast<std::int32_t>(std::min<Index>(text.size() - at, 4));
  std::int32_t size = 0;
  UChar32 code;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
  U8_NEXT(text.data() + at, size, limit, code);
#pragma GCC diagnostic pop
  at += code < 0 ? 1 : static_cast<Index>(size);
  return code < 0 ? Kind::kOther : kind_of(code);
}

}  // namespace

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  constexpr Index kNone = ~Index{0};
  Index begin = kNone;  // of the word that is open
  bool alone = false;   // it takes only marks
  Index end = 0;
  const auto close = [&] {
    if (begin != kNone) words.push_back(text.substr(begin, end - begin));
    begin = kNone;
  };
  for (Index at = 0; at < text.size();) {
    const Index from = at;
    const Kind kind = next_kind(text, at);
    const bool goes_on = begin != kNone && (kind == Kind::kMark || (kind == Kind::kWord && !alone));
    if (!goes_on) {
      close();
      if (kind == Kind::kWord || kind == Kind::kAlone) {
        begin = from;
        alone = kind == Kind::kAlone;
      }
    }
    end = at;
  }
  close();
}

}  // namespace trellis::classify
