// A sentence as the tagger reads it: columns of a constant, the word and, to learn from, its tag.
//
// The constant comes first so that no word is taken for what a line of a column file may be
// besides: a comment, "-DOCSTART-".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/sentence.h"
#include "trellis/tasks/tag/model/tag_sequence.h"

namespace trellis::parse {

inline constexpr std::string_view kTaggerConstant = "w";
inline constexpr Index kTaggerWord = 1;
inline constexpr Index kTaggerTag = 2;
inline constexpr Index kTaggerColumns = 3;

// The words, to be tagged.
inline void put_words(const Sentence& sentence, tag::TagSequence& sequence) {
  sequence.format = tag::InputFormat::kColumns;
  sequence.columns.clear(sentence.line);
  std::vector<std::string_view> fields(kTaggerTag);
  fields[0] = kTaggerConstant;
  for (const Word& word : sentence.words) {
    fields[kTaggerWord] = word.form;
    sequence.columns.add_token(fields);
  }
}

// Words and tags as lines, to be learned from.
inline void append_tagged(const Sentence& sentence, std::string Word::*tag, std::string& text) {
  for (const Word& word : sentence.words) {
    ((((text += kTaggerConstant) += '\t') += word.form) += '\t') += word.*tag;
    text += '\n';
  }
  text += '\n';
}

}  // namespace trellis::parse
