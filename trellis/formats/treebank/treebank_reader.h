// Reader of dependency treebanks in CoNLL-X (Buchholz & Marsi 2006) and CoNLL-U (Nivre et al.
// 2016), one sentence at a time. treebank_format.h describes the formats.
//
// An empty or blank line ends a sentence; consecutive ones count once, and the last may be missing.
// Memory is that of one sentence, whatever the length of the file.
//
// InputError reports the file, the line and what was expected: invalid UTF-8, a different number of
// columns, an empty column (FORM in particular), ids other than 1, 2, 3, …, ranges of multiword
// tokens that overlap or leave the sentence, empty nodes out of order, comments inside a sentence,
// heads that are no word of the sentence, and violations of Heads: missing heads, cycles, several
// roots.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_format.h"

namespace trellis::parse {

struct TreebankOptions {
  // Not given: recognised from the file's first line that is not blank. A comment means CoNLL-U; so
  // does a word with ten columns, unless it has a PHEAD or a part of speech that is not one of UD's
  // 17. A word with fewer columns means CoNLL-X.
  std::optional<TreebankFormat> format;
  Heads heads = Heads::kOptional;
  // The number of a parser's arcs is the square of the number of words.
  Index max_words = 4096;
};

class TreebankReader {
 public:
  explicit TreebankReader(InputFile file, const TreebankOptions& options = {});

  // The next sentence, of at least one word, or false at the end of the file; then `sentence` has
  // the comments after the last sentence, and nothing else. Throws InputError.
  bool read(Sentence& sentence);

  const std::string& name() const { return file_.name(); }
  // Known from the first lines, before a sentence is read, too. An empty file is CoNLL-U.
  TreebankFormat format();
  // 10, or 6 or 8 in CoNLL-X; 0 before a word is read, if options give CoNLL-X and the file begins
  // with a comment.
  Index num_columns();

 private:
  bool next_line(std::string_view& line);
  void look();
  void learn_format(std::string_view line);
  void begin(Sentence& sentence);
  void add_line(std::string_view line, Sentence& sentence);
  void add_word(Sentence& sentence);
  void add_multiword(std::string_view line, Sentence& sentence);
  void add_empty_node(std::string_view line, Sentence& sentence);
  void end(const Sentence& sentence) const;
  void check_columns();
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

  InputFile file_;
  TreebankOptions options_;
  bool looked_ = false;
  bool ahead_ = false;                    // the line that showed the format is yet to be read
  std::string first_line_;                // that line
  Index columns_ = kTreebankColumns;      // 0: the first word will show it
  Index multiword_line_ = 0;              // of the sentence's last multiword token
  std::vector<std::string_view> fields_;  // of the line read last
};

// All sentences of a file.
std::vector<Sentence> read_treebank(InputFile file, const TreebankOptions& options = {});

}  // namespace trellis::parse
