// From text to the words of a corpus.
//
// Words are those of base/words.h, in lower case: runs of letters, digits and marks of any script.
// Left out are words without a letter (numbers), words that are too short, and stop words.
//
// In scripts that are written without blanks (Han, Kana, Thai and their kin) characters that
// stand together become pairs, each overlapping the next: 北京大学 is 北京 京大 大学, and one that
// stands alone is itself. Most words of Chinese have two characters, and a topic model needs no
// segmentation that never errs. `characters` takes each character for a word.
//
// With `ngrams` = n, up to n words in a row are words, too, written with blanks between them:
// "new york". In a row are words with nothing but blanks or a hyphen between them and none left
// out: neither a stop word nor a comma is bridged.
//
// With `by_language` words are of the language of their document, if it has one, which stands
// before them: fr:but is another word than en:but.
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
  Index min_length = 2;  // of a word in characters, but for those of scripts without blanks
  UnspacedScripts unspaced = UnspacedScripts::kPairs;
  Index ngrams = 1;  // 1 to kMaxNgrams
  bool by_language = false;
  NameList stop_words;  // in lower case, if the text is to be; without languages

  // Throws UsageError where a number is out of range.
  void check() const;
  // All but the stop words. Throws UsageError or ValueError.
  Value to_value() const;
  static TextOptions from_value(const Value& value);
};

// Scratch memory included: one for each thread. The options must outlive it.
class Tokenizer {
 public:
  explicit Tokenizer(const TextOptions& options);

  // The same for a document in a language; empty: in none that is known.
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

  // Calls put(word) for each word of the text, which is UTF-8; the view lives until it returns.
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
    bool follows;  // the one before it, directly
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
  const char* end_ = nullptr;  // of the last word that was kept, if none was left out since
};

}  // namespace trellis::topics
