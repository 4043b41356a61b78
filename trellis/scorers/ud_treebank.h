// A treebank as the scorer of the CoNLL 2018 shared task represents it (Zeman et al. 2018;
// ud_score.h): words over the characters of the text, whatever sentences and tokens it was divided
// into.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"

namespace trellis::parse {

class UdTreebank {
 public:
  struct Span {
    Index begin = 0;  // characters, that is, code points without spaces
    Index end = 0;
    bool operator==(const Span&) const = default;
  };
  struct Word {
    Span span;  // the whole token's, where there are several words in it
    bool in_multiword = false;
    bool content = false;  // by its label
    std::string form, lemma, upos, xpos;
    std::string features;               // UD's, sorted
    std::string label;                  // without its subtype
    Index head = kRoot;                 // of words()
    std::vector<Index> function_words;  // that hang on it, in order
  };
  static constexpr Index kRoot = ~Index{0};

  explicit UdTreebank(std::string name) : name_(std::move(name)) {}
  // The heads are a tree. Throws InputError for a token of nothing but spaces.
  void add(const Sentence& sentence);

  const std::string& name() const { return name_; }
  const std::u32string& characters() const { return characters_; }
  const std::vector<Span>& tokens() const { return tokens_; }
  const std::vector<Span>& sentences() const { return sentences_; }
  const std::vector<Word>& words() const { return words_; }
  // The line of the file where the sentence of a character begins.
  Index line_of(Index character) const;

 private:
  Span add_token(std::string_view form, Index line);

  std::string name_;
  std::u32string characters_;
  std::vector<Span> tokens_;
  std::vector<Span> sentences_;
  std::vector<Index> lines_;  // of sentences
  std::vector<Word> words_;
};

}  // namespace trellis::parse
