#include "trellis/formats/columns/item_writer.h"

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

void append_escaped(std::string_view text, const std::string& file, Index line, std::string& out) {
  if (text.find_first_of("\t\r\n") != std::string_view::npos) {
    throw InputError(file, line,
                     "expected labels and features without tabs and line breaks, since item files "
                     "cannot contain these");
  }
  for (const char c : text) {
    if (c == ':' || c == '\\') out += '\\';
    out += c;
  }
}

}  // namespace

void append_item_weight(double weight, std::string& out) {
  if (weight != 1) out += fmt::format("@weight:{}\n", weight);
}

void append_item_label(std::string_view label, const std::string& file, Index line,
                       std::string& out) {
  append_escaped(label, file, line, out);
}

void append_item(std::string_view name, float value, const std::string& file, Index line,
                 std::string& out) {
  out += '\t';
  append_escaped(name, file, line, out);
  if (value != 1 || name.empty()) out += fmt::format(":{}", value);
}

}  // namespace trellis::tag
