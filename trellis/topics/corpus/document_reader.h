// Reading the documents of a corpus, one at a time, from files in the forms that people have.
//
//   lines     plain text, a document a line; an empty line is an empty document
//   files     plain text, a document a file: the files named, and those in the folders named and
//             in their folders, in the order of their paths, but for hidden ones. The path below
//             the folder is the document's id, and the folder in it, if any, its label
//   tsv       columns with tabs between them: text, label TAB text or id TAB label TAB text, or as
//             `columns` says. A label or language that is blank is none
//   translations
//             a table with tabs, whose first line names its columns: id, and then a language for
//             each. A row is one text in these languages: a document a cell, with the row's id and
//             the column's language; a blank cell is none
//   uci       bag of words of the UCI repository: three lines with the numbers of documents, words
//             and entries, then document word count, numbered from 1, documents in ascending order;
//             a document that is not named is empty
//   svmlight  label index:count …, or without the label; what may stand there is told in
//             data/libsvm_fields.h
//
// Of counts, `vocabulary` is a file with a word a line: of uci as many as the second line says, of
// svmlight index 1 is the first. Without it words are called by their numbers. A count is a whole
// number of 1 (svmlight: 0) to 2²⁴ − 1, as far as floats are exact.
//
// All text is UTF-8. Files are plain, gzip or zstd, and read in the memory of a document. Lines of
// nothing are allowed at the end of tables, uci and svmlight files only. InputError tells the file,
// the line, and what was expected.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/data/text_columns.h"

namespace trellis::topics {

enum class CorpusFormat { kLines, kFiles, kTsv, kTranslations, kUci, kSvmlight };
constexpr auto names_of(CorpusFormat) {
  return Names{"format of a corpus", "lines", "files", "tsv", "translations", "uci", "svmlight"};
}

struct ReaderOptions {
  // Not given: `files` for a folder, `uci` for a file whose name has "docword" in it, `tsv` where
  // there are `columns`, otherwise the first line tells. That of `translations` is `id` and at
  // least two codes of languages (names_languages); other names of them must be said.
  std::optional<CorpusFormat> format;
  std::optional<TextColumns> columns;  // of tsv
  bool labelled = false;               // every document must have a label
  std::string vocabulary;              // a file; empty: none

  // Throws UsageError where they do not go together.
  void check() const;
};

struct WordCount {
  std::uint32_t word;   // a number of the vocabulary, or, without one, the file's
  std::uint32_t count;  // at least 1
};

// Views live until the next document is read.
struct SourceDocument {
  std::string_view id;  // empty: none; and so are the next two
  std::string_view label;
  std::string_view language;
  std::string_view text;
  std::vector<WordCount> counts;  // of formats that have no text; each word once
};

class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  // The next document, or false at the end. Throws InputError.
  virtual bool read(SourceDocument& document) = 0;
  // Where it was found, for messages; line 0: the file as a whole.
  virtual const std::string& name() const = 0;
  virtual Index line_number() const = 0;
};

// The documents of these files, one file after another, all in one format.
class CorpusReader {
 public:
  CorpusReader(std::vector<std::string> paths, ReaderOptions options);

  bool read(SourceDocument& document);
  // The words of counts, by number; none where words are called by their numbers.
  const NameList& vocabulary() const { return vocabulary_; }
  bool has_vocabulary() const { return !options_.vocabulary.empty(); }
  // Whether documents may have a language, as the files are made; false before the first is read.
  bool has_languages() const;

 private:
  bool open_next();

  std::vector<std::string> paths_;
  ReaderOptions options_;
  NameList vocabulary_;
  std::unique_ptr<DocumentReader> reader_;
  Index next_path_ = 0;
};

// A word a line; neither blank nor twice. Throws InputError.
NameList read_vocabulary(const std::string& path);

}  // namespace trellis::topics
