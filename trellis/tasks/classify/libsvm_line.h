// A line of LIBSVM's (SVMlight's) format:
//
//   label index:value index:value …   # a comment
//
// The label is any text without blanks; numbers that are whole are the same label however they are
// written (+1, 1, 1.0). The pairs are those of tasks/libsvm_fields.h. `qid:`, which is for ranking,
// is refused.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/tasks/classify/example.h"

namespace trellis::classify {

// Reads one line; false if there is nothing on it but a comment. A line whose first field is
// index:value has no label. Throws InputError with the column (in bytes, from 1).
bool parse_libsvm_line(std::string_view line, const std::string& file, Index line_number,
                       Example& example);

// Whether a line can only have been meant as one of this format: all fields but the first are
// index:value, and there is one.
bool looks_like_libsvm(std::string_view line);

}  // namespace trellis::classify
