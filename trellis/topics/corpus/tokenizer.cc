#include "trellis/topics/corpus/tokenizer.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics {
namespace {

// Whether a word has more than digits and connectors.
bool has_letter(std::string_view word) {
  Index i = 0;
  while (i < word.size() && ((word[i] >= '0' && word[i] <= '9') || word[i] == '_')) ++i;
  if (i == word.size()) return false;
  if (static_cast<unsigned char>(word[i]) < 0x80) return true;
  std::u32string codes;
  decode_utf8(word.substr(i), codes);
  return std::any_of(codes.begin(), codes.end(),
                     [](char32_t code) { return code != '_' && !is_digit(code); });
}

// Whether the text, which is UTF-8, has at least `count` characters.
bool has_characters(std::string_view text, Index count) {
  for (const char c : text) {
    const bool begins_one = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (begins_one && --count == 0) return true;
  }
  return false;
}

// The length in bytes; 63 stands for all longer words.
Index length_class(std::string_view word) {
  return std::min<Index>(word.size(), 63);
}

bool touches(const TextWord& left, const TextWord& right) {
  return left.text.data() + left.text.size() == right.text.data();
}

}  // namespace

void TextOptions::check() const {
  if (ngrams < 1 || ngrams > kMaxNgrams) {
    throw UsageError(fmt::format("n-grams have 1 to {} words, not {}", kMaxNgrams, ngrams));
  }
  if (min_length < 1 || min_length > kMaxLength) {
    throw UsageError(
        fmt::format("the shortest word has 1 to {} characters, not {}", kMaxLength, min_length));
  }
}

Value TextOptions::to_value() const {
  Value value = Value::record({{"lowercase", lowercase},
                               {"numbers", numbers},
                               {"min_length", min_length},
                               {"unspaced", to_string(unspaced)},
                               {"ngrams", ngrams}});
  if (by_language) value["by_language"] = true;
  return value;
}

TextOptions TextOptions::from_value(const Value& value) {
  TextOptions options;
  options.lowercase = value.at("lowercase").get<bool>();
  options.numbers = value.at("numbers").get<bool>();
  options.min_length = value.at("min_length").get<Index>();
  options.unspaced = parse_named<UnspacedScripts>(value.at("unspaced").get<std::string>());
  options.ngrams = value.at("ngrams").get<Index>();
  if (value.contains("by_language")) options.by_language = value.at("by_language").get<bool>();
  options.check();
  return options;
}

Tokenizer::Tokenizer(const TextOptions& options) : options_(options) {
  options.check();
  for (Index id = 0; id < options.stop_words.size(); ++id) {
    const std::string_view word = options.stop_words[id];
    if (word.empty()) continue;
    stop_lengths_[static_cast<unsigned char>(word[0])] |= std::uint64_t{1} << length_class(word);
  }
}

Index Tokenizer::find_units(std::string_view text) {
  if (options_.lowercase) {
    to_lower(text, lower_);
    text = lower_;
  }
  words_.clear();
  split_words(text, words_);
  units_.clear();
  end_ = nullptr;
  Index left_out = 0;
  for (Index i = 0; i < words_.size();) {
    Index last = i + 1;
    if (words_[i].unspaced) {
      while (last < words_.size() && words_[last].unspaced &&
             touches(words_[last - 1], words_[last])) {
        ++last;
      }
      left_out += add_unspaced(i, last);
    } else {
      left_out += add_unit(words_[i].text, false) ? 0 : 1;
    }
    i = last;
  }
  return left_out;
}

// Adds words from adjacent characters; returns how many words were left out.
Index Tokenizer::add_unspaced(Index first, Index last) {
  const bool pairs = options_.unspaced == UnspacedScripts::kPairs && last - first > 1;
  Index left_out = 0;
  for (Index i = first; i + (pairs ? 1 : 0) < last; ++i) {
    const std::string_view begin = words_[i].text;
    const Index size = begin.size() + (pairs ? words_[i + 1].text.size() : 0);
    left_out += add_unit({begin.data(), size}, true) ? 0 : 1;
  }
  return left_out;
}

bool Tokenizer::keep(std::string_view word, bool unspaced) const {
  if (!unspaced) {
    if (!has_characters(word, options_.min_length)) return false;
    if (!options_.numbers && !has_letter(word)) return false;
  }
  return !is_stop_word(word);
}

// The first byte and the length distinguish most words from stop words.
bool Tokenizer::is_stop_word(std::string_view word) const {
  const std::uint64_t lengths = stop_lengths_[static_cast<unsigned char>(word[0])];
  if ((lengths >> length_class(word) & 1) == 0) return false;
  return options_.stop_words.find(word) != NameList::kNone;
}

bool Tokenizer::add_unit(std::string_view word, bool unspaced) {
  if (!keep(word, unspaced)) {
    end_ = nullptr;
    return false;
  }
  units_.push_back({word, options_.ngrams > 1 && adjoins(word)});
  end_ = word.data() + word.size();
  return true;
}

// Whether only blanks or a hyphen separate the word from the previous one.
bool Tokenizer::adjoins(std::string_view word) const {
  if (end_ == nullptr) return false;
  if (word.data() < end_) return true;  // pairs of characters overlap
  const std::string_view gap(end_, static_cast<Index>(word.data() - end_));
  return gap == "-" || trim(gap).empty();
}

// Extends the n − 1 words that begin with `first`, which are in gram_ unless n is 2, to n words.
bool Tokenizer::extend_gram(Index first, Index n) {
  const Index last = first + n - 1;
  if (last >= units_.size() || !units_[last].follows) return false;
  if (n == 2) gram_ = units_[first].text;
  gram_ += ' ';
  gram_ += units_[last].text;
  return true;
}

}  // namespace trellis::topics
