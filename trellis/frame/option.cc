#include "trellis/frame/option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>
#include <utility>

namespace trellis::frame {
namespace {

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(bool value) {
  return value ? "true" : "false";
}
template <class Number>
requires std::is_arithmetic_v<Number> std::string text_of(Number value) {
  return fmt::format("{}", value);
}
template <class Item>
std::string text_of(const std::optional<Item>& value) {
  return value ? text_of(*value) : std::string();
}
template <class Item>
std::string text_of(const std::vector<Item>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}
std::string text_of(const std::map<std::string, double>& values) {
  std::string text;
  for (const auto& [key, value] : values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  }
  return text;
}

struct Writer {
  template <class Item>
  std::string operator()(const Item* value) const {
    return text_of(*value);
  }
  std::string operator()(const AnyText& text) const { return text.write ? text.write() : ""; }
  std::string operator()(const Off& off) const { return text_of(!*off.value); }
  std::string operator()(const PrintAndExit&) const { return {}; }
};

}  // namespace

Option& Option::required() {
  facts_.required = true;
  return *this;
}
Option& Option::one_of(std::vector<std::string> words) {
  facts_.words = std::move(words);
  return *this;
}
Option& Option::between(double least, double most) {
  facts_.range = Range{least, most};
  return *this;
}
Option& Option::shows(std::string_view standard) {
  facts_.shown = standard;
  return *this;
}
Option& Option::hidden() {
  facts_.hidden = true;
  return *this;
}
Option& Option::brief(std::string help) {
  facts_.brief = std::move(help);
  return *this;
}
Option& Option::takes(int count) {
  facts_.count = count;
  return *this;
}
Option& Option::repeats() {
  facts_.repeats = true;
  return *this;
}
Option& Option::or_alone(std::string value) {
  facts_.alone = std::move(value);
  return *this;
}
Option& Option::same_bits() {
  facts_.same_bits = true;
  return *this;
}
Option& Option::needs(std::string other, std::string because) {
  facts_.rules.push_back({std::move(other), false, {}, std::move(because)});
  return *this;
}
Option& Option::only_with(std::string other, std::vector<std::string> values, std::string because) {
  facts_.rules.push_back({std::move(other), false, std::move(values), std::move(because)});
  return *this;
}
Option& Option::excludes(std::string other, std::string because) {
  facts_.rules.push_back({std::move(other), true, {}, std::move(because)});
  return *this;
}

bool Option::is_flag() const {
  const Target& target = facts_.target;
  return std::holds_alternative<bool*>(target) || std::holds_alternative<Off>(target) ||
         std::holds_alternative<std::optional<bool>*>(target);
}

bool Option::given() const {
  const auto* truth = std::get_if<bool*>(&facts_.target);
  return given_ && (truth == nullptr || **truth || !facts_.off.empty());
}

std::string Option::value() const {
  return std::visit(Writer(), facts_.target);
}

std::string Option::identity() const {
  if (facts_.same_bits || facts_.by_place) return {};  // files count by their content
  const std::string text = value();
  const bool unset = is_flag() ? text.empty() || text == "false" : text.empty();
  // The writer of a text may not tell a given default from a missing value, so both are recorded.
  const bool marked = given_ && std::holds_alternative<AnyText>(facts_.target);
  if (unset && !marked) return {};
  return fmt::format("{} {}{}", flag(), text, marked ? " (given)" : "");
}

}  // namespace trellis::frame
