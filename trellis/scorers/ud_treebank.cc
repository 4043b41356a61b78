#include "trellis/scorers/ud_treebank.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::parse {
namespace {

constexpr std::array<std::string_view, 29> kContentLabels = {
    "nsubj",  "obj",        "iobj",       "csubj",  "ccomp",     "xcomp",    "obl",   "vocative",
    "expl",   "dislocated", "advcl",      "advmod", "discourse", "nmod",     "appos", "nummod",
    "acl",    "amod",       "conj",       "fixed",  "flat",      "compound", "list",  "parataxis",
    "orphan", "goeswith",   "reparandum", "root",   "dep"};

constexpr std::array<std::string_view, 7> kFunctionLabels = {"aux", "cop",  "mark", "det",
                                                             "clf", "case", "cc"};

constexpr std::array<std::string_view, 21> kUniversalFeatures = {
    "PronType", "NumType", "Poss",  "Reflex",   "Foreign",  "Abbr",     "Gender",
    "Animacy",  "Number",  "Case",  "Definite", "Degree",   "VerbForm", "Mood",
    "Tense",    "Aspect",  "Voice", "Evident",  "Polarity", "Person",   "Polite"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string_view until(std::string_view text, char mark) {
  return text.substr(0, text.find(mark));
}

std::string universal_features(std::string_view features) {
  std::vector<std::string_view> each;
  split(features, '|', each);
  std::erase_if(each, [](std::string_view feature) {
    return !contains(kUniversalFeatures, until(feature, '='));
  });
  std::sort(each.begin(), each.end());
  std::string out;
  for (const std::string_view feature : each) {
    if (!out.empty()) out += '|';
    out += feature;
  }
  return out;
}

std::string without_spaces(std::string_view form) {
  std::u32string characters;
  decode_utf8(form, characters);
  std::string out;
  for (const char32_t character : characters) {
    if (!is_space_separator(character)) append_utf8(character, out);
  }
  return out;
}

}  // namespace

void UdTreebank::add(const Sentence& sentence) {
  const Index first = words_.size();
  const Index begin = characters_.size();
  lines_.push_back(sentence.line);
  auto multiword = sentence.multiwords.begin();
  std::uint32_t last_inside = 0;  // the last word of the multiword token at hand
  Span span;
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    const parse::Word& from = sentence.word(m);
    if (multiword != sentence.multiwords.end() && multiword->first == m) {
      span = add_token(multiword->form, sentence.line_of(m));
      last_inside = multiword->last;
      ++multiword;
    } else if (m > last_inside) {
      span = add_token(from.form, sentence.line_of(m));
    }
    Word& word = words_.emplace_back();
    word.span = span;
    word.in_multiword = m <= last_inside;
    word.form = word.in_multiword ? from.form : without_spaces(from.form);
    word.lemma = from.lemma;
    word.upos = from.coarse;
    word.xpos = from.fine;
    word.features = universal_features(from.features);
    word.label = until(from.label, ':');
    word.content = contains(kContentLabels, word.label);
    assert(from.head <= sentence.size());
    word.head = from.head == 0 ? kRoot : first + from.head - 1;
  }
  for (Index i = first; i < words_.size(); ++i) {
    if (words_[i].head != kRoot && contains(kFunctionLabels, words_[i].label)) {
      words_[words_[i].head].function_words.push_back(i);
    }
  }
  sentences_.push_back({begin, characters_.size()});
}

UdTreebank::Span UdTreebank::add_token(std::string_view form, Index line) {
  std::u32string characters;
  decode_utf8(form, characters);
  std::erase_if(characters, is_space_separator);
  if (characters.empty()) {
    throw InputError(name_, line, "expected a word in column 2 (FORM), found spaces");
  }
  const Index begin = characters_.size();
  characters_ += characters;
  return tokens_.emplace_back(Span{begin, characters_.size()});
}

Index UdTreebank::line_of(Index character) const {
  const auto after =
      std::partition_point(sentences_.begin(), sentences_.end(),
                           [&](const Span& sentence) { return sentence.end <= character; });
  if (lines_.empty()) return 0;
  const auto i = static_cast<Index>(after - sentences_.begin());
  return lines_[std::min(i, lines_.size() - 1)];
}

}  // namespace trellis::parse
