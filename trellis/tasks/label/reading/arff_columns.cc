#include "trellis/tasks/label/reading/arff_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "trellis/base/text.h"

namespace trellis::label {
namespace {

constexpr Index kShortList = 8;  // up to here looking through it is as fast as hashing

std::optional<float> parse_float(std::string_view text) {
  const auto value = parse_double(text);
  if (!value || std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) {
    return std::nullopt;
  }
  return static_cast<float>(*value);
}

// The numbers of a list of at most two, or nothing.
std::vector<float> listed_numbers(const std::vector<std::string>& values) {
  std::vector<float> numbers;
  if (values.size() > 2) return numbers;
  for (const std::string& value : values) {
    const auto number = parse_float(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

ArffColumn::ArffColumn(const ArffAttribute& attribute, Use use, std::uint32_t id)
    : attribute_(&attribute), use_(use), id_(id) {
  if (attribute.values.size() <= kShortList) return;
  for (Index k = 0; k < attribute.values.size(); ++k) value_indices_[attribute.values[k]] = k;
}

ArffColumn ArffColumn::label(const ArffReader& reader, const ArffAttribute& attribute,
                             std::uint32_t label) {
  ArffColumn column(attribute, Use::kLabel, label);
  if (!attribute.nominal()) return column;
  column.numbers_ = listed_numbers(attribute.values);
  const bool binary = !column.numbers_.empty() &&
                      std::all_of(column.numbers_.begin(), column.numbers_.end(),
                                  [](float number) { return number == 0 || number == 1; });
  if (!binary) {
    reader.refuse(
        fmt::format("expected the label '{}' to be an attribute {{0,1}}, found other values among",
                    attribute.name),
        fmt::format(
            "{}", fmt::join(attribute.values.begin(),
                            attribute.values.begin() + static_cast<std::ptrdiff_t>(std::min<Index>(
                                                           attribute.values.size(), kShortList)),
                            ",")));
  }
  return column;
}

ArffColumn ArffColumn::feature(const ArffAttribute& attribute, std::uint32_t first_feature) {
  if (!attribute.nominal()) return {attribute, Use::kNumber, first_feature};
  std::vector<float> numbers = listed_numbers(attribute.values);
  ArffColumn column(attribute, numbers.empty() ? Use::kIndicators : Use::kListedNumber,
                    first_feature);
  column.numbers_ = std::move(numbers);
  return column;
}

Index ArffColumn::num_features() const {
  if (use_ == Use::kLabel) return 0;
  return use_ == Use::kIndicators ? attribute_->values.size() : 1;
}

Index ArffColumn::value_index(const ArffReader& reader, std::string_view text) const {
  if (value_indices_.empty()) {
    const auto found = std::find(attribute_->values.begin(), attribute_->values.end(), text);
    if (found != attribute_->values.end()) {
      return static_cast<Index>(found - attribute_->values.begin());
    }
  } else if (const auto found = value_indices_.find(text); found != value_indices_.end()) {
    return found->second;
  }
  reader.refuse(
      fmt::format("expected a value that attribute '{}' declares, found", attribute_->name), text);
}

bool ArffColumn::given(const ArffReader& reader, std::string_view text) const {
  if (attribute_->nominal()) return numbers_[value_index(reader, text)] == 1;
  const auto number = parse_double(text);
  if (!number || (*number != 0 && *number != 1)) {
    reader.refuse(fmt::format("expected 0 or 1 for the label '{}', found", attribute_->name), text);
  }
  return *number == 1;
}

Feature ArffColumn::feature_of(const ArffReader& reader, std::string_view text) const {
  if (use_ == Use::kListedNumber) return {id_, numbers_[value_index(reader, text)]};
  if (use_ == Use::kIndicators) {
    return {id_ + static_cast<std::uint32_t>(value_index(reader, text)), 1};
  }
  const auto number = parse_float(text);
  if (!number) {
    reader.refuse(fmt::format("expected a finite number up to 3.4e38 for attribute '{}', found",
                              attribute_->name),
                  text);
  }
  return {id_, *number};
}

bool ArffColumn::implies_something() const {
  return use_ == Use::kIndicators || (!numbers_.empty() && numbers_.front() != 0);
}

}  // namespace trellis::label
