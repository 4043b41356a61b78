#include "trellis/tasks/classify/libsvm_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::classify {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

// Walks over the fields of a line and knows where it is, for messages.
class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line.substr(0, line.find('#'))) {}

  // The next field, or false at the end.
  bool next(std::string_view& field) {
    begin_ = std::min(line_.find_first_not_of(kBlanks, end_), line_.size());
    if (begin_ == line_.size()) return false;
    end_ = std::min(line_.find_first_of(kBlanks, begin_), line_.size());
    field = line_.substr(begin_, end_ - begin_);
    return true;
  }
  Index column() const { return begin_ + 1; }

 private:
  std::string_view line_;
  Index begin_ = 0;
  Index end_ = 0;
};

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

bool is_pair(std::string_view field) {
  const auto pair = split_pair(field);
  return pair && is_digits(pair->index) && parse_double(pair->value);
}

// +1, 1 and 1.0 are the same label.
std::string canonical_label(std::string_view label) {
  constexpr double kExact = 9007199254740992;  // 2⁵³
  const auto number = parse_double(label);
  if (!number || std::abs(*number) > kExact || *number != std::floor(*number)) {
    return std::string(label);
  }
  return fmt::format("{}", static_cast<long long>(*number));
}

class LineParser {
 public:
  LineParser(std::string_view line, const std::string& file, Index line_number, Example& example)
      : fields_(line), file_(file), line_number_(line_number), example_(example) {}

  bool parse() {
    std::string_view field;
    if (!fields_.next(field)) return false;
    const auto first = split_pair(field);
    if (!first || !is_digits(first->index)) {
      check_label(field);
      example_.label = canonical_label(field);
      example_.labelled = true;
      if (!fields_.next(field)) return true;
    }
    do {
      add(field);
    } while (fields_.next(field));
    sort();
    return true;
  }

 private:
  [[noreturn]] void refuse(const std::string& message, std::string_view token) const {
    throw InputError(file_, line_number_, fmt::format("column {}: {}", fields_.column(), message),
                     token);
  }

  void check_label(std::string_view field) const {
    if (field.starts_with("qid:")) refuse("expected a label first, found", field);
    if (find_invalid_utf8(field) != std::string_view::npos) {
      refuse("expected a label in UTF-8, found other bytes", {});
    }
  }

  void add(std::string_view field) {
    if (field.starts_with("qid:")) {
      refuse("expected index:value (queries are for ranking, not for classifying), found", field);
    }
    const auto pair = split_pair(field);
    if (!pair) refuse("expected index:value, found", field);
    const float value = parse_value(pair->value, field);
    const std::uint32_t index = parse_index(pair->index, field);
    if (value != 0)
      example_.values.push_back({index, value});
    else
      zeros_.push_back(index);
  }

  std::uint32_t parse_index(std::string_view text, std::string_view field) const {
    constexpr long long kLargest = std::numeric_limits<std::uint32_t>::max();
    if (!is_digits(text)) refuse("expected an index from 0 on before the colon, found", field);
    const auto index = parse_integer(text);
    if (!index || *index > kLargest) {
      refuse(fmt::format("expected an index up to {}, found", kLargest), text);
    }
    return static_cast<std::uint32_t>(*index);
  }

  float parse_value(std::string_view text, std::string_view field) const {
    const auto value = parse_double(text);
    if (!value) refuse("expected a finite number behind the colon, found", field);
    if (std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) {
      refuse("expected a value up to 3.4e38, found", field);
    }
    return static_cast<float>(*value);
  }

  // Also finds indices that occur twice, those of zeros included.
  void sort() {
    auto& values = example_.values;
    const auto before = [](const IndexedValue& a, const IndexedValue& b) {
      return a.index < b.index;
    };
    if (!std::is_sorted(values.begin(), values.end(), before)) {
      std::sort(values.begin(), values.end(), before);
    }
    std::vector<std::uint32_t> all = zeros_;
    if (!all.empty()) {
      for (const IndexedValue& value : values) all.push_back(value.index);
      std::sort(all.begin(), all.end());
      const auto twice = std::adjacent_find(all.begin(), all.end());
      if (twice != all.end()) refuse_twice(*twice);
    }
    const auto twice =
        std::adjacent_find(values.begin(), values.end(),
                           [](const auto& a, const auto& b) { return a.index == b.index; });
    if (twice != values.end()) refuse_twice(twice->index);
  }

  [[noreturn]] void refuse_twice(std::uint32_t index) const {
    throw InputError(file_, line_number_,
                     fmt::format("expected each index once, found {} twice", index));
  }

  Fields fields_;
  const std::string& file_;
  Index line_number_;
  Example& example_;
  std::vector<std::uint32_t> zeros_;  // indices whose value is 0
};

}  // namespace

bool parse_libsvm_line(std::string_view line, const std::string& file, Index line_number,
                       Example& example) {
  example.clear();
  example.line = line_number;
  return LineParser(line, file, line_number, example).parse();
}

bool looks_like_libsvm(std::string_view line) {
  Fields fields(line);
  std::string_view field;
  Index pairs = 0;
  for (Index k = 0; fields.next(field); ++k) {
    const bool pair = is_pair(field);
    if (k > 0 && !pair) return false;
    pairs += pair ? 1 : 0;
  }
  return pairs > 0;
}

}  // namespace trellis::classify
