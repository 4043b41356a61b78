// Reader of tables of categories from CSV (RFC 4180) or TSV: a header with the names of the
// columns, then one row per line. Cells are separated by commas, tabs or semicolons, and quoted
// where necessary. Blanks around a cell are ignored, and empty lines are skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::bayes {

// kAuto: a tab if the header has one; otherwise the more frequent of comma and semicolon.
enum class Delimiter { kAuto, kComma, kTab, kSemicolon };
constexpr auto names_of(Delimiter) {
  return Names{"delimiter", "auto", "comma", "tab", "semicolon"};
}

class TableReader {
 public:
  // Reads the header. Throws InputError if there is no header, or if a column has no name or the
  // same name as another.
  TableReader(InputFile file, Delimiter delimiter);

  // The cells of the next row, one per column of the header; false at the end. Throws InputError.
  bool read(std::vector<std::string>& cells);

  const std::string& name() const { return file_.name(); }
  Index line() const { return file_.line_number(); }  // of the last row
  const std::vector<std::string>& header() const { return header_; }
  std::optional<Index> find(std::string_view column) const;
  char separator() const { return separator_; }
  [[noreturn]] void refuse(std::string_view message, std::string_view token = {}) const;

 private:
  void split_line(std::string_view line, std::vector<std::string>& cells) const;

  InputFile file_;
  char separator_ = ',';
  std::vector<std::string> header_;
};

}  // namespace trellis::bayes
