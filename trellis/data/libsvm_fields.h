// The fields of a line in LIBSVM's (SVMlight's) format, for all tasks that read it:
//
//   … index:value index:value …   # a comment
//
// Fields are separated by blanks or tabs. Indices are 0 … 2³² − 1, in any order, each at most once.
// Values are finite numbers in the range of a float; a 0 is the same as a missing index. Each task
// defines what may precede the pairs (a label, several labels, a query).
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

// Iterates over the fields of a line and keeps the position for messages.
class LibsvmFields {
 public:
  LibsvmFields(std::string_view line, std::string_view file, Index line_number)
      : line_(line.substr(0, line.find('#'))), file_(file), line_number_(line_number) {}

  // The next field, or false at the end.
  bool next(std::string_view& field);
  // Throws InputError with the column of the field (in bytes, from 1).
  [[noreturn]] void refuse(const std::string& message, std::string_view token = {}) const;
  // Throws InputError about the whole line.
  [[noreturn]] void refuse_line(const std::string& message) const;

 private:
  std::string_view line_;
  std::string_view file_;
  Index line_number_;
  Index begin_ = 0;
  Index end_ = 0;
};

// Reads `first`, which is the current field, and all fields after it: `values` ascend by index and
// contain no zeros. Throws InputError.
void parse_indexed_values(LibsvmFields& fields, std::string_view first,
                          std::vector<IndexedValue>& values);

// Whether a field can only be a pair: it begins with digits and a colon.
bool begins_with_index(std::string_view field);
// Whether the whole field is a pair.
bool is_indexed_value(std::string_view field);

// Whether a line can only be meant in this format: it has a second field, and all fields but the
// first are index:value. A query may precede them; the caller reports it if it is wrong.
bool looks_like_libsvm(std::string_view line);

// Whole numbers are the same label in every notation: +1, 1 and 1.0.
std::string canonical_label(std::string_view label);

}  // namespace trellis
