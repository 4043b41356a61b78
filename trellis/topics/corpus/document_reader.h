// Reads the documents of a corpus, one at a time, from files in common formats.
//
//   lines     plain text, one document per line; an empty line is an empty document
//   files     plain text, one document per file: the given files, and those in the given folders
//             and their subfolders, sorted by path, without hidden ones. The path below the folder
//             is the document's id, and the subfolder, if any, its label
//   tsv       columns separated by tabs: text, label TAB text or id TAB label TAB text, or as in
//             `columns`. A blank field means no label or no language
//   translations
//             a table with tabs, whose first line names its columns: id, and then one for each
//             language. A row is one text in these languages: one document per cell, with the row's
//             id and the column's language; a blank cell is no document
//   uci       bag of words of the UCI repository: three lines with the numbers of documents, words
//             and entries, then document word count, numbered from 1, documents in ascending order;
//             a document without an entry is empty
//   svmlight  label index:count …, or without the label; data/libsvm_fields.h describes what may
//             precede the pairs
//
// For counts, `vocabulary` is a file with one word per line: in uci as many as the second line
// says, in svmlight index 1 is the first word. Without it, numbers are the names of words. A count
// is an integer from 1 (svmlight: 0) to 2²⁴ − 1, the range in which floats are exact.
//
// All text is UTF-8. Files are plain, gzip or zstd; memory is that of one document. Empty lines are
// allowed only at the end of tables, uci and svmlight files. InputError reports the file, the line,
// and what was expected.
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
  // Not given: `files` for a folder, `uci` for a file with "docword" in its name, `tsv` if there
  // are `columns`, otherwise by the first line. `translations` is recognised by `id` and at least
  // two language codes (names_languages); with other names this option is necessary.
  std::optional<CorpusFormat> format;
  std::optional<TextColumns> columns;  // of tsv
  bool labelled = false;               // every document must have a label
  std::string vocabulary;              // a file; empty: none

  // Throws UsageError for incompatible options.
  void check() const;
};

struct WordCount {
  std::uint32_t word;   // a number of the vocabulary, or, without one, the file's
  std::uint32_t count;  // at least 1
};

// Views are valid until the next document is read.
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
  // The position for messages; line 0: the whole file.
  virtual const std::string& name() const = 0;
  virtual Index line_number() const = 0;
};

// The documents of these files, one file after another, all in one format.
class CorpusReader {
 public:
  CorpusReader(std::vector<std::string> paths, ReaderOptions options);

  bool read(SourceDocument& document);
  // The words of counts, by number; empty if numbers are the names of words.
  const NameList& vocabulary() const { return vocabulary_; }
  bool has_vocabulary() const { return !options_.vocabulary.empty(); }
  // Whether documents may have a language, according to the files; false before the first is read.
  bool has_languages() const;

 private:
  bool open_next();

  std::vector<std::string> paths_;
  ReaderOptions options_;
  NameList vocabulary_;
  std::unique_ptr<DocumentReader> reader_;
  Index next_path_ = 0;
};

// One word per line; no blank and no repeated words. Throws InputError.
NameList read_vocabulary(const std::string& path);

}  // namespace trellis::topics
