// Splits text into the words of a corpus.
//
// Words are those of base/words.h, in lower case: runs of letters, digits and marks of any script.
// It omits words without a letter (numbers), words that are too short, and stop words.
//
// In scripts without blanks between words (Han, Kana, Thai and related scripts) adjacent characters
// form pairs that overlap: 北京大学 is 北京 京大 大学, and a single character is a word. Most
// Chinese words have two characters, and a topic model does not need a perfect segmentation.
// `characters` makes each character a word.
//
// With `ngrams` = n, up to n successive words are words, too, written with blanks between them:
// "new york". Words are successive if only blanks or a hyphen separate them and no word between
// them was omitted: an n-gram never spans a stop word or a comma.
//
// With `by_language`, words belong to the language of their document, if it has one, which becomes
// a prefix: fr:but and en:but are different words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/base/words.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"

namespace trellis::topics {

enum class UnspacedScripts { kPairs, kCharacters };
constexpr auto names_of(UnspacedScripts) {
  return Names{"treatment of scripts without blanks", "pairs", "characters"};
}

struct TextOptions {
  static constexpr Index kMaxNgrams = 8;
  static constexpr Index kMaxLength = 1000;

  bool lowercase = true;
  bool numbers = false;  // keep words without a letter
  Index min_length = 2;  // of a word in characters, except for scripts without blanks
  UnspacedScripts unspaced = UnspacedScripts::kPairs;
  Index ngrams = 1;  // 1 to kMaxNgrams
  bool by_language = false;
  NameList stop_words;  // in lower case, if the text is to be; without languages

  // Throws UsageError if a number is out of range.
  void check() const;
  // Everything except the stop words. Throws UsageError or ValueError.
  Value to_value() const;
  static TextOptions from_value(const Value& value);
};

// Includes scratch memory: use one per thread. The options must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(const TextOptions& options);

  // The same for a document in a language; empty: no known language.
  template <class Put>
  Index tokenize(std::string_view text, std::string_view language, const Put& put) {
    if (!options_.by_language || language.empty()) return tokenize(text, put);
    const Index prefix = language.size() + 1;
    named_.assign(language);
    named_ += kAfterLanguage;
    return tokenize(text, [&](std::string_view word) {
      named_.resize(prefix);
      named_ += word;
      put(std::string_view(named_));
    });
  }
  static constexpr char kAfterLanguage = ':';  // never part of a word

  // Calls put(word) for each word of the text, which is UTF-8; the view is valid during the call.
  // Returns how many words were left out.
  template <class Put>
  Index tokenize(std::string_view text, const Put& put) {
    const Index left_out = find_units(text);
    for (Index i = 0; i < units_.size(); ++i) {
      put(units_[i].text);
      if (options_.ngrams > 1) {
        for (Index n = 2; n <= options_.ngrams && extend_gram(i, n); ++n) {
          put(std::string_view(gram_));
        }
      }
    }
    return left_out;
  }

 private:
  struct Unit {
    std::string_view text;
    bool follows;  // directly follows the previous one
  };

  Index find_units(std::string_view text);
  Index add_unspaced(Index first, Index last);
  bool keep(std::string_view word, bool unspaced) const;
  bool is_stop_word(std::string_view word) const;
  bool add_unit(std::string_view word, bool unspaced);
  bool adjoins(std::string_view word) const;
  bool extend_gram(Index first, Index n);

  const TextOptions& options_;
  std::array<std::uint64_t, 256> stop_lengths_{};  // of stop words, by their first byte
  std::string lower_;
  std::vector<TextWord> words_;
  std::vector<Unit> units_;
  std::string gram_, named_;
  const char* end_ = nullptr;  // end of the last kept word; null if a word was left out since
};

}  // namespace trellis::topics
