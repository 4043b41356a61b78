// Reader of dependency treebanks in CoNLL-X (Buchholz & Marsi 2006) and CoNLL-U (Nivre et al.
// 2016), one sentence at a time. treebank_format.h describes the formats.
//
// An empty or blank line ends a sentence; several in a row are one, and the last may be missing.
// Memory is that of one sentence, whatever the length of the file.
//
// InputError tells the file, the line and what was expected: bytes that are no UTF-8, another
// number of columns, an empty column (first of all FORM), ids that do not count 1, 2, 3, …, ranges
// of multiword tokens that overlap or leave the sentence, empty nodes out of order, comments inside
// of a sentence, heads that are no word of the sentence, and what Heads asks for: heads that are
// missing, cycles, several roots.
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
  // Not given: seen from the file's first line that is not blank. A comment means CoNLL-U; so does
  // a word of ten columns, unless it has a part of speech that is none of UD's 17 or a PHEAD, and
  // what has fewer columns is CoNLL-X.
  std::optional<TreebankFormat> format;
  Heads heads = Heads::kOptional;
  // A parser's arcs are as many as the square of the words.
  Index max_words = 4096;
};

class TreebankReader {
 public:
  explicit TreebankReader(InputFile file, const TreebankOptions& options = {});

  // The next sentence, of at least one word, or false at the end of the file; then `sentence` has
  // the comments that followed the last one, and nothing else. Throws InputError.
  bool read(Sentence& sentence);

  const std::string& name() const { return file_.name(); }
  // What the first lines tell, before a sentence is read as well. A file without a line is CoNLL-U.
  TreebankFormat format();
  // 10, or 6 or 8 in CoNLL-X; 0 before a word is read where CoNLL-X was said and a comment is
  // first.
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
  bool ahead_ = false;                    // the line that told the format is yet to be read
  std::string first_line_;                // that line
  Index columns_ = kTreebankColumns;      // 0: the first word will tell
  Index multiword_line_ = 0;              // of the sentence's last multiword token
  std::vector<std::string_view> fields_;  // of the line read last
};

// All sentences of a file.
std::vector<Sentence> read_treebank(InputFile file, const TreebankOptions& options = {});

}  // namespace trellis::parse
