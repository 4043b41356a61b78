#include "trellis/tasks/label/reading/label_names.h"

#include <algorithm>

#include "trellis/base/text.h"

namespace trellis::label {

std::optional<std::string> label_name_fault(std::string_view name) {
  if (name.empty()) return "expected the name of a label, found an empty one";
  if (find_invalid_utf8(name) != std::string_view::npos) {
    return "expected the name of a label in UTF-8, found other bytes in";
  }
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) || c == 0x7F;
  });
  if (control) return "expected the name of a label without control characters, found";
  return std::nullopt;
}

}  // namespace trellis::label
