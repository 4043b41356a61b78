#include "trellis/frame/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::frame {
namespace {

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// "--average,!--no-average": the name, and the one that makes it false.
void read_names(std::string_view written, Option::Facts& facts) {
  const Index comma = written.find(",!");
  facts.by_place = !written.starts_with('-');
  facts.name = without_dashes(written.substr(0, comma));
  if (comma != std::string_view::npos) facts.off = without_dashes(written.substr(comma + 2));
}

[[noreturn]] void refuse(const Option& option, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", option.flag(), why));
}

void require_range(const Option& option, double value) {
  const std::optional<Option::Range>& range = option.facts().range;
  if (!range || (value >= range->least && value <= range->most)) return;
  refuse(option,
         fmt::format("expected {:g} to {:g}, found {:g}", range->least, range->most, value));
}

std::string text_of(const Value& value) {
  if (value.is_text()) return value.text();
  if (value.is_bool()) return value.get<bool>() ? "true" : "false";
  if (value.is_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_list()) {
    std::vector<std::string> items;
    for (const Value& item : value.items()) items.push_back(text_of(item));
    return fmt::format("{}", fmt::join(items, ","));
  }
  return fmt::format("{}", value.get<double>());
}

// Reads a value into the variable of an option.
struct Setter {
  const Option& option;
  const Value& value;

  template <class Item>
  void operator()(Item* target) const {
    if constexpr (std::is_same_v<Item, std::string>) {
      *target = text_of(value);
    } else if constexpr (requires { target->value(); }) {
      if (!value.is_null()) *target = value.get<typename Item::value_type>();
      if (value.is_null()) target->reset();
    } else if constexpr (requires { typename Item::mapped_type; }) {
      *target = value.get<Item>();
    } else if constexpr (requires { target->push_back({}); }) {
      const bool several = value.is_list();
      *target = several ? value.get<Item>() : Value::list({value}).get<Item>();
    } else {
      *target = value.get<Item>();
      if constexpr (!std::is_same_v<Item, bool>) {
        require_range(option, static_cast<double>(*target));
      }
    }
  }
  void operator()(const AnyText& text) const {
    const std::string written = text_of(value);
    const std::vector<std::string>& words = option.facts().words;
    if (!words.empty() && std::find(words.begin(), words.end(), written) == words.end()) {
      refuse(option,
             suggestion(std::vector<std::string_view>(words.begin(), words.end()), written));
    }
    text.read(written);
  }
  void operator()(const Off& off) const { *off.value = !value.get<bool>(); }
  void operator()(const PrintAndExit&) const { refuse(option, "has no value"); }
};

void require_rule(const OptionTable& table, const Option& option, const Option::Rule& rule) {
  const Option& other = table.at(rule.other);
  const std::string reason = rule.because.empty() ? "" : ": " + rule.because;
  if (rule.excluded) {
    if (!other.given()) return;
    throw UsageError(
        fmt::format("{} cannot be combined with {}{}", option.flag(), other.flag(), reason));
  }
  if (rule.values.empty()) {
    if (other.given()) return;
    throw UsageError(fmt::format("{} requires {}{}", option.flag(), other.flag(), reason));
  }
  const std::string value = other.value();
  if (std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end()) return;
  throw UsageError(fmt::format("{} requires {} {}{}", option.flag(), other.flag(),
                               fmt::join(rule.values, " or "), reason));
}

}  // namespace

OptionList& OptionList::needs(const std::string& other, const std::string& because) {
  for (Option* option : options_) option->needs(other, because);
  return *this;
}
OptionList& OptionList::only_with(const std::string& other, const std::vector<std::string>& values,
                                  const std::string& because) {
  for (Option* option : options_) option->only_with(other, values, because);
  return *this;
}
OptionList& OptionList::excludes(const std::string& other, const std::string& because) {
  for (Option* option : options_) option->excludes(other, because);
  return *this;
}

Option& OptionTable::add(const std::string& name, Target target, std::string help) {
  Option::Facts facts;
  read_names(name, facts);
  facts.help = std::move(help);
  facts.group = group_;
  facts.target = std::move(target);
  return options_.emplace_back(std::move(facts));
}

const Option& OptionTable::at(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.name() == name; });
  if (found != options_.end()) return *found;
  std::vector<std::string_view> names;
  for (const Option& option : options_) names.push_back(option.name());
  throw UsageError(fmt::format("there is no option '{}': {}", name, suggestion(names, name)));
}

Option& OptionTable::at(std::string_view name) {
  return const_cast<Option&>(std::as_const(*this).at(name));  // NOLINT: the same row
}

OptionList OptionTable::those(std::initializer_list<std::string_view> names) {
  std::vector<Option*> options;
  for (const std::string_view name : names) options.push_back(&at(name));
  return OptionList(std::move(options));
}

bool OptionTable::any_given(std::initializer_list<std::string_view> names) const {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return given(name); });
}

void OptionTable::set(std::string_view name, const Value& value) {
  Option& option = at(name);
  try {
    std::visit(Setter{option, value}, option.facts().target);
  } catch (const ValueError& error) {
    refuse(option, error.what());
  }
  option.mark_given();
}

std::string OptionTable::identity() const {
  std::string text;
  for (const Option& option : options_) {
    const std::string line = option.identity();
    if (!line.empty()) text += "\n" + line;
  }
  return text;
}

void OptionTable::check() const {
  for (const Option& option : options_) {
    if (option.facts().required && !option.given()) {
      throw UsageError(option.flag() + " is required");
    }
    if (!option.given()) continue;
    for (const Option::Rule& rule : option.facts().rules) require_rule(*this, option, rule);
  }
  for (const std::function<void()>& check : checks_) check();
}

}  // namespace trellis::frame
