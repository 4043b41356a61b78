// A template that does not make sense, with the place shown.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis::tag {

// what() has three lines: the complaint, the line of the template, and a caret under the place:
//
//   ner.txt:7: column 17: expected ")", found "["
//     node lower(word [0]
//                     ^
class TemplateError : public InputError {
 public:
  // `offset` is in bytes from the start of `source_line`; a place past its end is just behind it.
  TemplateError(std::string_view name, Index line, std::string_view source_line, Index offset,
                std::string_view complaint);

  Index column() const { return column_; }  // in characters, from 1

 private:
  Index column_;
};

}  // namespace trellis::tag
