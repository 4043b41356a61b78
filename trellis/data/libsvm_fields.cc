#include "trellis/data/libsvm_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The text before the colon and behind it.
struct Pair {
  std::string_view index;
  std::string_view value;
};
std::optional<Pair> split_pair(std::string_view field) {
  const Index colon = field.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return Pair{field.substr(0, colon), field.substr(colon + 1)};
}

std::uint32_t parse_index(const LibsvmFields& fields, std::string_view text,
                          std::string_view field) {
  constexpr long long kLargest = std::numeric_limits<std::uint32_t>::max();
  if (!is_digits(text))
    fields.refuse("expected an index of at least 0 before the colon, found", field);
  const auto index = parse_integer(text);
  if (!index || *index > kLargest) {
    fields.refuse(fmt::format("expected an index up to {}, found", kLargest), text);
  }
  return static_cast<std::uint32_t>(*index);
}

float parse_value(const LibsvmFields& fields, std::string_view text, std::string_view field) {
  const auto value = parse_double(text);
  if (!value) fields.refuse("expected a finite number after the colon, found", field);
  if (std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) {
    fields.refuse("expected a value up to 3.4e38, found", field);
  }
  return static_cast<float>(*value);
}

// Also finds indices that occur twice.
void sort_by_index(const LibsvmFields& fields, std::vector<IndexedValue>& values) {
  const auto before = [](const IndexedValue& a, const IndexedValue& b) {
    return a.index < b.index;
  };
  if (!std::is_sorted(values.begin(), values.end(), before)) {
    std::sort(values.begin(), values.end(), before);
  }
  const auto twice =
      std::adjacent_find(values.begin(), values.end(),
                         [](const auto& a, const auto& b) { return a.index == b.index; });
  if (twice != values.end()) {
    fields.refuse_line(fmt::format("expected each index once, found {} twice", twice->index));
  }
}

}  // namespace

bool LibsvmFields::next(std::string_view& field) {
  begin_ = std::min(line_.find_first_not_of(kBlanks, end_), line_.size());
  if (begin_ == line_.size()) return false;
  end_ = std::min(line_.find_first_of(kBlanks, begin_), line_.size());
  field = line_.substr(begin_, end_ - begin_);
  return true;
}

void LibsvmFields::refuse(const std::string& message, std::string_view token) const {
  throw InputError(file_, line_number_, fmt::format("column {}: {}", begin_ + 1, message), token);
}

void LibsvmFields::refuse_line(const std::string& message) const {
  throw InputError(file_, line_number_, message);
}

void parse_indexed_values(LibsvmFields& fields, std::string_view first,
                          std::vector<IndexedValue>& values) {
  values.clear();
  std::string_view field = first;
  do {
    const auto pair = split_pair(field);
    if (!pair) fields.refuse("expected index:value, found", field);
    const float value = parse_value(fields, pair->value, field);
    values.push_back({parse_index(fields, pair->index, field), value});
  } while (fields.next(field));
  sort_by_index(fields, values);  // zeros included: an index twice is a mistake whatever its value
  std::erase_if(values, [](const IndexedValue& value) { return value.value == 0; });
}

bool begins_with_index(std::string_view field) {
  const auto pair = split_pair(field);
  return pair && is_digits(pair->index);
}

bool is_indexed_value(std::string_view field) {
  const auto pair = split_pair(field);
  return pair && is_digits(pair->index) && parse_double(pair->value);
}

bool looks_like_libsvm(std::string_view line) {
  LibsvmFields fields(line, {}, 0);
  std::string_view field;
  Index pairs = 0;
  for (Index k = 0; fields.next(field); ++k) {
    const bool pair = is_indexed_value(field);
    const bool query = k == 1 && field.starts_with("qid:");
    if (k > 0 && !pair && !query) return false;
    pairs += pair ? 1 : 0;
  }
  return pairs > 0;
}

std::string canonical_label(std::string_view label) {
  constexpr double kExact = 9007199254740992;  // 2⁵³
  const auto number = parse_double(label);
  if (!number || std::abs(*number) > kExact || *number != std::floor(*number)) {
    return std::string(label);
  }
  return fmt::format("{}", static_cast<long long>(*number));
}

}  // namespace trellis
