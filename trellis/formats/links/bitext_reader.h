// Reader of parallel text, the input of word aligners: two files in which line n is a sentence and
// its translation (as in Europarl, Koehn 2005), or one file with both on each line, separated by a
// tab or by ` ||| ` (the format of fast_align, Dyer, Chahuneau & Smith 2013). It reads one sentence
// pair at a time.
//
//   das Haus ist klein<TAB>the house is small
//   das Haus ist klein ||| the house is small
//
// Words are separated by blanks (words.h); the text is UTF-8. A line without a word makes an
// ordinary pair, with no word on that side. Memory is that of one pair, whatever the length of the
// file; reading allocates no memory once a pair's storage has grown to the longest pair.
//
// InputError reports the file, the line and what was expected: files of unequal length, the same
// file twice, a line of two sides without a separator or with several, invalid UTF-8, sentences
// beyond the limits, an empty file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::align {

// The separator of the two sides of a line. With `tab` the bars are a word; with `bars` tabs are
// blanks.
enum class BitextSeparator { kTab, kBars };
constexpr auto names_of(BitextSeparator) {
  return Names{"separator of bitext", "tab", "bars"};
}

// An HMM takes I J (I + J) steps, and a dozen numbers for each of I J cells: within these limits
// the longest pair needs half a minute and half a gigabyte.
struct BitextLimits {
  Index words = 4096;            // of a sentence
  Index cells = Index{1} << 22;  // source words × target words of a pair
};

// The words are views into the pair's own text; they stay valid when the pair is moved, and copying
// is forbidden.
class SentencePair {
 public:
  SentencePair() = default;
  SentencePair(SentencePair&&) noexcept = default;
  SentencePair& operator=(SentencePair&&) noexcept = default;

  std::span<const std::string_view> source() const { return {words_.data(), num_source_}; }
  std::span<const std::string_view> target() const {
    return std::span(words_).subspan(num_source_);
  }
  Index line() const { return line_; }  // of the file, from 1

  // The words of two lines, at most the first `max_words` of each.
  void assign(std::string_view source, std::string_view target, Index line,
              Index max_words = static_cast<Index>(-1));

 private:
  std::vector<char> text_;
  std::vector<std::string_view> words_;  // the source's, then the target's
  Index num_source_ = 0;
  Index line_ = 0;
};

class BitextReader {
 public:
  // Throws InputError if both are the same file, or both are standard input.
  BitextReader(InputFile source, InputFile target, const BitextLimits& limits = {});
  // `separator` not given: a tab or ' ||| ', whichever the first line with a word has; a line with
  // both is refused.
  explicit BitextReader(InputFile bitext, std::optional<BitextSeparator> separator = {},
                        const BitextLimits& limits = {});

  // The next pair, or false at the end. Throws InputError.
  bool read(SentencePair& pair);

  const std::string& source_name() const { return source_.name(); }
  const std::string& target_name() const { return target_ ? target_->name() : source_.name(); }

 private:
  bool read_two(std::string_view& source, std::string_view& target);
  bool read_one(std::string_view& source, std::string_view& target);
  void learn_separator(std::string_view line);
  void check_limits(const SentencePair& pair) const;
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

  InputFile source_;  // or both sides
  std::optional<InputFile> target_;
  std::optional<BitextSeparator> separator_;
  BitextLimits limits_;
};

}  // namespace trellis::align
