#include "trellis/base/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"

namespace trellis {

std::size_t find_name(std::string_view what, std::span<const std::string_view> words,
                      std::string_view text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw UsageError(fmt::format("unknown {} '{}': expected {} or {}", what, text,
                               fmt::join(words.first(words.size() - 1), ", "), words.back()));
}

}  // namespace trellis
