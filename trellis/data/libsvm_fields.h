// The fields of a line of LIBSVM's (SVMlight's) format, for all tasks that read one:
//
//   … index:value index:value …   # a comment
//
// Fields are separated by blanks or tabs. Indices are 0 … 2³² − 1, in any order, none of them
// twice. Values are finite numbers that a float can hold; 0 is as good as nothing. What may stand
// in front of the pairs (a label, several, a query) is the task's own business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

struct IndexedValue {
  std::uint32_t index;
  float value;  // finite, not 0
};

// Walks over the fields of a line and knows where it is, for messages.
class LibsvmFields {
 public:
  LibsvmFields(std::string_view line, std::string_view file, Index line_number)
      : line_(line.substr(0, line.find('#'))), file_(file), line_number_(line_number) {}

  // The next field, or false at the end.
  bool next(std::string_view& field);
  // Throws InputError with the column of the field (in bytes, from 1).
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;
  // Throws InputError about the line as a whole.
  [[noreturn]] void refuse_line(const std::string& message) const;

 private:
  std::string_view line_;
  std::string_view file_;
  Index line_number_;
  Index begin_ = 0;
  Index end_ = 0;
};

// Reads `first`, which is the current field, and all that follow it: `values` ascend by index and
// have no zeros. Throws InputError.
void parse_indexed_values(LibsvmFields& fields, std::string_view first,
                          std::vector<IndexedValue>& values);

// Whether a field can only be a pair: digits and a colon in front.
bool begins_with_index(std::string_view field);
// Whether it is a pair, to the end.
bool is_indexed_value(std::string_view field);

// Whether a line can only have been meant as one of this format: all fields but the first are
// index:value, and there is one. A query may stand in front of them: whoever reads on says of it
// what is to be said.
bool looks_like_libsvm(std::string_view line);

// Numbers that are whole are the same label however they are written: +1, 1 and 1.0.
std::string canonical_label(std::string_view label);

}  // namespace trellis
