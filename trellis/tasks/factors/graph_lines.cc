#include "trellis/tasks/factors/graph_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "trellis/base/text.h"
#include "trellis/tasks/factors/factor_features.h"

namespace trellis::factors {
namespace {

// Splits at blanks; stops at a word that begins with '#'.
void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  constexpr std::string_view kBlanks = " \t";
  for (auto at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    if (line[at] == '#') return;
    const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

Attribute read_attribute(const GraphLines& lines, std::string_view word, double largest) {
  if (word.front() == '=' || word == "?" || word == "|") {
    lines.refuse("expected an attribute, NAME or NAME:VALUE, found", word);
  }
  const auto colon = word.rfind(':');
  if (colon == std::string_view::npos) return {word, 1};
  const auto value = parse_double(word.substr(colon + 1));
  if (colon == 0 || !value || std::abs(*value) > largest) {
    lines.refuse(
        "expected an attribute, NAME or NAME:VALUE with a number after the last colon, found",
        word);
  }
  return {word.substr(0, colon), *value};
}

}  // namespace

bool GraphLines::next() {
  while (file_.read_line(line_)) {
    if (find_invalid_utf8(line_) != std::string_view::npos) refuse("expected UTF-8");
    split_words(line_, words_);
    if (!words_.empty() || trim(line_).empty()) return true;
  }
  words_.clear();
  return false;
}

void GraphLines::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_.name(), file_.line_number(), message, token);
}

void read_attributes(const GraphLines& lines, Words words, double largest,
                     std::vector<Attribute>& attributes) {
  attributes.clear();
  for (const std::string_view word : words) {
    attributes.push_back(read_attribute(lines, word, largest));
    if (attributes.back().name == FactorFeatures::kBias) {
      lines.refuse("the attribute 'bias' is reserved: it is always present");
    }
  }
  std::ranges::sort(attributes, {}, &Attribute::name);
  const auto twice = std::ranges::adjacent_find(attributes, {}, &Attribute::name);
  if (twice != attributes.end())
    lines.refuse("expected each attribute once, found twice:", twice->name);
}

}  // namespace trellis::factors
