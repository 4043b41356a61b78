// Reader of data sets for classification, one example per line: tab-separated columns with a text
// and its label (TSV), or the sparse format of SVMlight (Joachims 1999) and LIBSVM (Chang & Lin
// 2011).
//
// LIBSVM:  label index:value index:value …   # a comment
//
// The label is any text without blanks; whole numbers are the same label in every notation (+1, 1,
// 1.0). data/libsvm_fields.h describes the pairs. LETOR's `qid:` is recognised and refused: grades
// compare documents of one query and are not labels.
//
// Text: columns are separated by tabs, and all lines have the same number of columns. Each column
// has a role: the label, a text (several texts are joined), an id that predictions repeat, or none
// (for example a language). Text is UTF-8 and may be empty.
//
// Empty lines are allowed only at the end of a file, so that line n is example n; in a file with
// one column an empty line is an empty text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/text_columns.h"
#include "trellis/formats/examples/example.h"

namespace trellis::classify {

struct ReaderOptions {
  std::optional<InputFormat> format;   // not given: the first line shows it
  std::optional<TextColumns> columns;  // not given: the usual ones for the number of the first line
  // Whether every example must have a label. If not, a text file may lack that column.
  bool labelled = true;
};

class ExampleReader {
 public:
  ExampleReader(InputFile file, ReaderOptions options);

  // The next example, or false at the end of the file. Throws InputError.
  bool read(Example& example);

  const std::string& name() const { return file_.name(); }
  // Known once an example has been read.
  std::optional<InputFormat> format() const { return options_.format; }
  const std::optional<TextColumns>& columns() const { return options_.columns; }

 private:
  bool next_line(std::string_view& line);
  void detect_format(std::string_view line);
  void read_text(std::string_view line, Example& example);
  const TextColumns& choose_columns(Index found);

  InputFile file_;
  ReaderOptions options_;
  std::optional<TextColumns> unlabelled_;  // options_.columns without the label
  bool one_column_ = false;                // as far as is known
  std::vector<std::string_view> fields_;
};

}  // namespace trellis::classify
