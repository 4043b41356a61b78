// Writer of CRFsuite's data format (Okazaki 2007). item_reader.h describes the format and reads it
// back. Text is appended to a string, so that many threads can write, each to its own.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::tag {

// The line that gives a sequence its weight, before its tokens; nothing for the weight 1.
void append_item_weight(double weight, std::string& out);

// A label, which begins the line of a token, with the escapes that it needs. Throws
// InputError(file, line, …) for tabs and line breaks, which no escape keeps together.
void append_item_label(std::string_view label, const std::string& file, Index line,
                       std::string& out);

// An item with a tab in front. The value 1 is omitted unless the name is empty. Throws as
// append_item_label does.
void append_item(std::string_view name, float value, const std::string& file, Index line,
                 std::string& out);

}  // namespace trellis::tag
