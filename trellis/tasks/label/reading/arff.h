// Attribute-Relation File Format (Weka; Hall et al. 2009), as data sets for many labels come in:
//
//   % a comment
//   @relation 'any name'
//   @attribute length numeric            numeric, real, integer: all are numbers
//   @attribute 'a name' {red, 'dark red'}
//   @data
//   3.5, red                             a row with a value for each attribute
//   {0 3.5, 1 'dark red'}                or with those that are not 0 (the first of a list)
//
// Keywords may be in any case. Names and values are quoted ('…' or "…", with \' \" \\ \% \t \n \r
// inside) or words up to the next blank, comma or brace, in which a backslash is a character as any
// other. `?` is a missing value. Text, date and relational attributes, and instance weights, are
// refused.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::label {

struct ArffAttribute {
  std::string name;
  std::vector<std::string> values;  // of a nominal attribute, distinct; empty: numeric

  bool nominal() const { return !values.empty(); }
};

struct ArffCell {
  std::uint32_t attribute = 0;
  bool missing = false;
  std::string_view text;  // without quotes
};

// A row: cells ascend by attribute; where it is not sparse there is one for each. The texts live
// until the next row is read.
struct ArffRow {
  bool sparse = false;
  std::vector<ArffCell> cells;
  std::deque<std::string> unquoted;  // memory of texts with escapes
};

// Whether a line that is not blank begins such a file: with @relation, @attribute, @data or %.
bool begins_arff(std::string_view line);

class ArffReader {
 public:
  // Reads the header; `first_line` is the line that was last read from `file`, which must outlive
  // the reader. Throws InputError, as read() does.
  ArffReader(InputFile& file, std::string_view first_line);

  const std::vector<ArffAttribute>& attributes() const { return attributes_; }
  const std::string& name() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }
  Index bytes_read() const { return bytes_read_; }

  // The next row, or false at the end.
  bool read(ArffRow& row);
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;

 private:
  // Whether the line ended the header.
  bool read_header_line(std::string_view line);
  void read_attribute(std::string_view line);

  InputFile& file_;
  Index bytes_read_ = 0;
  std::vector<ArffAttribute> attributes_;
};

}  // namespace trellis::label
