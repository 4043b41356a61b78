#include "trellis/base/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "trellis/base/types.h"

namespace trellis {
namespace {

enum class WordKind : std::uint8_t {
  kOther,
  kWord,      // continues the word before it, or begins one
  kMark,      // continues what is before it, whatever its kind
  kAlone,     // a word of its own
  kUnspaced,  // the same, in a script without blanks
};

// Bytes of characters with several bytes are false.
constexpr std::array<bool, 256> kAsciiWord = [] {
  std::array<bool, 256> word{};
  for (unsigned char c = 'a'; c <= 'z'; ++c) word[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) word[c] = true;
  for (unsigned char c = '0'; c <= '9'; ++c) word[c] = true;
  word['_'] = true;
  return word;
}();

WordKind kind_of(UChar32 code) {
  const std::uint32_t type = U_MASK(u_charType(code));
  if ((type & U_GC_M_MASK) != 0) return WordKind::kMark;
  const auto line_break = u_getIntPropertyValue(code, UCHAR_LINE_BREAK);
  const bool letter = (type & (U_GC_L_MASK | U_GC_N_MASK | U_GC_PC_MASK)) != 0;
  const bool unspaced = line_break == U_LB_IDEOGRAPHIC || line_break == U_LB_COMPLEX_CONTEXT ||
                        line_break == U_LB_CONDITIONAL_JAPANESE_STARTER;
  if (letter) return unspaced ? WordKind::kUnspaced : WordKind::kWord;
  const bool pictograph = (type & U_GC_SO_MASK) != 0 && code > 0xFF;
  return pictograph ? WordKind::kAlone : WordKind::kOther;
}

// The kind of the character at `at`, which moves behind it. ASCII characters do not need this call.
WordKind next_wide_kind(std::string_view text, Index& at) {
  // Four bytes are enough for any character, and ICU counts in int32_t.
  const auto limit = static_cast<std::int32_t>(std::min<Index>(text.size() - at, 4));
  std::int32_t size = 0;
  UChar32 code;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // inside ICU's macro
  U8_NEXT(text.data() + at, size, limit, code);
#pragma GCC diagnostic pop
  at += code < 0 ? 1 : static_cast<Index>(size);
  return code < 0 ? WordKind::kOther : kind_of(code);
}

inline WordKind next_kind(std::string_view text, Index& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte >= 0x80) return next_wide_kind(text, at);
  ++at;
  return kAsciiWord[byte] ? WordKind::kWord : WordKind::kOther;
}

// Calls put(word, kind of its first character) for each word.
template <class Put>
void each_word(std::string_view text, const Put& put) {
  constexpr Index kNone = ~Index{0};
  Index begin = kNone;                // of the word that is open
  WordKind opened = WordKind::kWord;  // what began it; only kWord takes more than marks
  Index end = 0;
  const auto close = [&] {
    if (begin != kNone) put(text.substr(begin, end - begin), opened);
    begin = kNone;
  };
  for (Index at = 0; at < text.size();) {
    const Index from = at;
    const WordKind kind = next_kind(text, at);
    const bool takes =
        kind == WordKind::kMark || (kind == WordKind::kWord && opened == WordKind::kWord);
    if (begin == kNone || !takes) {
      close();
      if (kind != WordKind::kOther && kind != WordKind::kMark) {
        begin = from;
        opened = kind;
      }
    }
    // Fast path: most words of most texts continue with ASCII characters.
    if (begin != kNone && opened == WordKind::kWord) {
      while (at < text.size() && kAsciiWord[static_cast<unsigned char>(text[at])]) ++at;
    }
    end = at;
  }
  close();
}

}  // namespace

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  each_word(text, [&](std::string_view word, WordKind) { words.push_back(word); });
}

void split_words(std::string_view text, std::vector<TextWord>& words) {
  each_word(text, [&](std::string_view word, WordKind kind) {
    words.push_back({word, kind == WordKind::kUnspaced});
  });
}

}  // namespace trellis
