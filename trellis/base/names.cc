#include "trellis/base/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/types.h"

namespace trellis {
namespace {

bool same_letter(char a, char b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b);
}

// The distance of Damerau (1964), no letter being touched twice. Time and memory: O(|a| |b|).
Index edit_distance(std::string_view a, std::string_view b) {
  const Index width = b.size() + 1;
  std::vector<Index> table((a.size() + 1) * width);  // of every pair of beginnings
  for (Index i = 0; i <= a.size(); ++i) {
    for (Index j = 0; j <= b.size(); ++j) {
      Index& here = table[i * width + j];
      here = std::max(i, j);
      if (i == 0 || j == 0) continue;
      const Index changed = same_letter(a[i - 1], b[j - 1]) ? 0 : 1;
      here = std::min({table[(i - 1) * width + j] + 1, table[i * width + j - 1] + 1,
                       table[(i - 1) * width + j - 1] + changed});
      const bool swapped =
          i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
      if (swapped) here = std::min(here, table[(i - 2) * width + j - 2] + 1);
    }
  }
  return table.back();
}

}  // namespace

std::optional<std::string_view> nearest_name(std::span<const std::string_view> words,
                                             std::string_view text) {
  constexpr Index kLongest = 64;  // what is longer was not meant to be a name
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  std::vector<std::string_view> begun;
  std::copy_if(words.begin(), words.end(), std::back_inserter(begun),
               [&](std::string_view word) { return word.starts_with(text); });
  if (begun.size() == 1 && text.size() > 1) return begun.front();
  std::optional<std::string_view> nearest;
  Index least = std::max<Index>(1, text.size() / 3) + 1;
  for (const std::string_view word : words) {
    const Index distance = edit_distance(text, word);
    // A name of one letter is one change away from every other.
    if (distance >= least || distance >= std::max(text.size(), word.size())) continue;
    least = distance;
    nearest = word;
  }
  return nearest;
}

std::string suggestion(std::span<const std::string_view> words, std::string_view text) {
  if (const auto nearest = nearest_name(words, text)) {
    return fmt::format("did you mean {}?", *nearest);
  }
  return words.size() == 1
             ? fmt::format("expected {}", words.front())
             : fmt::format("expected {} or {}", fmt::join(words.first(words.size() - 1), ", "),
                           words.back());
}

std::size_t find_name(std::string_view what, std::span<const std::string_view> words,
                      std::string_view text) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw UsageError(fmt::format("unknown {} '{}': {}", what, text, suggestion(words, text)));
}

}  // namespace trellis
