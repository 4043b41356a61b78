#include "trellis/tasks/tag/templates/template_error.h"

#include <algorithm>

#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

constexpr Index kCharactersBefore = 70;
constexpr Index kCharactersAfter = 30;

Index column_of(std::string_view line, Index offset) {
  return utf8_length(line.substr(0, std::min(offset, line.size()))) + 1;
}

// Tabs would move the caret, and other control characters are not for terminals.
void append_printable(std::string& out, std::string_view text) {
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
}

std::string explain(std::string_view line, Index offset, std::string_view complaint) {
  offset = std::min(offset, line.size());
  const std::string_view before = utf8_suffix(line.substr(0, offset), kCharactersBefore);
  const std::string_view after = utf8_prefix(line.substr(offset), kCharactersAfter);
  std::string out = "column " + std::to_string(column_of(line, offset)) + ": ";
  append_printable(out, complaint);
  out += "\n  ";
  append_printable(out, before);
  append_printable(out, after);
  out += "\n  " + std::string(utf8_length(before), ' ') + "^";
  return out;
}

}  // namespace

TemplateError::TemplateError(std::string_view name, Index line, std::string_view source_line,
                             Index offset, std::string_view complaint)
    : InputError(name, line, explain(source_line, offset, complaint)),
      column_(column_of(source_line, offset)) {}

}  // namespace trellis::tag
