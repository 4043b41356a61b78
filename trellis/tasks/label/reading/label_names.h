// What may be the name of a label: predictions are written as names with tabs between them, a line
// for each instance.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trellis::label {

// What is wrong with it ("expected …, found"), or nothing: names are UTF-8, not empty, and have no
// control characters.
std::optional<std::string> label_name_fault(std::string_view name);

}  // namespace trellis::label
