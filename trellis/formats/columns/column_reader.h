// Reader of column files: one token per line, its columns separated by tabs or blanks, an empty
// line after each sentence. These are the formats of the shared tasks CoNLL-2000 (Tjong Kim Sang &
// Buchholz 2000) and CoNLL-2003 (Tjong Kim Sang & De Meulder 2003), and CoNLL-U of Universal
// Dependencies (https://universaldependencies.org/format.html). It reads one sentence at a time.
//
// A line is a token; its columns are separated by single tabs or by runs of blanks, according to
// the first token line of the file (whether or not it has a tab). An empty or blank line ends the
// sentence. Every token of a file has the same number of columns, else InputError. The text is
// UTF-8, else InputError with the line. Memory is that of one sentence and its lines, whatever the
// length of the file.
//
// Lines that are no tokens:
//
//   documents  a line whose first column is "-DOCSTART-" (CoNLL-2003) ends a sentence like a
//              blank line, and is never a token.
//   CoNLL-U    multiword ranges ("3-4") and empty nodes ("5.1") are skipped, and every line that
//              begins with '#' is a comment. The file is CoNLL-U if the options say so, or if its
//              first token line has ten or more columns, separated by tabs, and begins with an id.
//   comments   elsewhere see Comments: "# # B-NP" is a token of CoNLL-2000, and even begins one of
//              its sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/columns/sentence.h"

namespace trellis::tag {

// Which lines of a file that is not CoNLL-U are comments. This applies only to lines before a
// sentence's first token; and "#word" without a blank is always a token.
enum class Comments {
  // "# …" that does not have the number of columns of the file's tokens. (Such a line is split at
  // tabs if it has a tab or the file is separated by tabs, and at blanks otherwise.) No token is
  // ever lost, and a comment can pass for a token only by having just as many words as the file
  // has columns; files with such comments want kHash.
  kAuto,
  kNone,  // nothing is a comment
  kHash,  // every "# …", and "#" alone
};
constexpr auto names_of(Comments) {
  return Names{"kind of comments", "auto", "none", "hash"};
}

enum class ColumnFormat { kAuto, kColumns, kConllu };

// The columns of CoNLL-U, from 0: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC.
inline constexpr Index kConlluColumns = 10;
inline constexpr Index kConlluForm = 1;
inline constexpr Index kConlluUpos = 3;

struct ColumnOptions {
  ColumnFormat format = ColumnFormat::kAuto;
  Comments comments = Comments::kAuto;
};

// The unchanged lines of a sentence in the file: those before it that are not tokens, its tokens,
// and the line that ended it. Concatenated over a file they are the file (except CR at the ends of
// lines, which readers drop).
class SourceLines {
 public:
  static constexpr Index kNoToken = ~Index{0};
  struct Line {
    std::string_view text;  // lives until the lines are changed
    Index token;            // of the sentence, or kNoToken: to be passed through
  };

  Index size() const { return lines_.size(); }
  Line operator[](Index i) const {
    return {std::string_view(text_).substr(lines_[i].begin, lines_[i].size), lines_[i].token};
  }

  void clear();
  void add(std::string_view text, Index token);

 private:
  struct Entry {
    Index begin;
    Index size;
    Index token;
  };
  std::string text_;
  std::vector<Entry> lines_;
};

class ColumnReader {
 public:
  explicit ColumnReader(InputFile file, ColumnOptions options = {});

  // The next sentence, of at least one token, or false at the end of the file. Throws InputError.
  bool read(Sentence& sentence) {
    SourceLines lines;
    return read(sentence, lines);
  }
  // The same, with its lines. At the end of the file these are what followed the last sentence.
  bool read(Sentence& sentence, SourceLines& lines);

  const std::string& name() const { return file_.name(); }
  Index num_columns() const { return columns_; }  // 0 until a token was read
  bool conllu() const { return format_ == ColumnFormat::kConllu; }

  // The properties of a file known from its first lines, before a sentence is read.
  struct Look {
    bool conllu = false;
    Index columns = 0;  // of the first token line; 0: there is none
  };
  Look look();

 private:
  enum class Kind { kBlank, kComment, kDocument, kSkipped, kToken };

  bool next_line(std::string_view& line);
  void look_ahead();
  void learn_format(std::string_view line, Index line_number);
  Kind classify(std::string_view line, bool in_sentence);
  Kind classify_conllu() const;
  bool is_comment(std::string_view line, bool in_sentence) const;
  void add_token(std::string_view line, Sentence& sentence);

  InputFile file_;
  Comments comments_;
  ColumnFormat format_;     // kAuto until a token line was seen
  bool tabs_ = false;       // the separator, as soon as the format is known
  Index columns_ = 0;       // 0: not yet known
  Index columns_line_ = 0;  // the line that said so
  Index seen_columns_ = 0;  // of the line that the format was learned from
  Index line_number_ = 0;
  std::vector<std::string_view> fields_;  // of the line classified last
  // The first lines of the file up to one that is certainly a token: earlier lines may be comments
  // or tokens until the number of columns is known.
  bool looked_ahead_ = false;
  std::vector<std::string> ahead_;
  Index ahead_position_ = 0;
};

}  // namespace trellis::tag
