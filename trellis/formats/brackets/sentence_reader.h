// Reader of tokenised text, one sentence per line with white space between the tokens: the usual
// input of constituency parsers. It also reads treebanks in Penn brackets, and keeps only the
// words.
//
// Tokens are separated by white space; round brackets in them become -LRB- and -RRB-, as in
// treebanks. Lines of only white space are not sentences. A file whose first character that is not
// white is "(" has trees (bracket_reader.h), of which only the words are read; give the format if a
// sentence begins with a bracket of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/bracket_reader.h"
#include "trellis/formats/brackets/text_cursor.h"

namespace trellis::grammar {

enum class SentenceFormat { kTokens, kTrees };
constexpr auto names_of(SentenceFormat) {
  return Names{"format of sentences", "tokens", "trees"};
}

struct Sentence {
  std::vector<std::string> words;
  Index line = 0;  // of the file, where it begins

  bool operator==(const Sentence&) const = default;
};

struct SentenceOptions {
  std::optional<SentenceFormat> format;  // not given: the first character tells
};

class SentenceReader {
 public:
  explicit SentenceReader(InputFile file, const SentenceOptions& options = {});

  // The next sentence, of at least one word, or false at the end of the file. Throws InputError.
  bool read(Sentence& sentence);

  const std::string& name() const { return trees_ ? trees_->name() : text_.name(); }

 private:
  SentenceOptions options_;
  TextCursor text_;                     // moved into trees_, where there are some
  std::optional<BracketReader> trees_;  // once it is known that there are
};

}  // namespace trellis::grammar
