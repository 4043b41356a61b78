// The options of a command or of a struct, in the order of the help. A table is bound to the
// variables that its options set, so they must outlive it.
//
//   void describe(frame::OptionTable& table, TrainOptions& options) {
//     table.group("Features");
//     table.option("--order", options.order, "Number of previous labels that a label depends on")
//         .between(1, 4);
//     table.option("--format", options.format, "File format");   // an enumeration: base/names.h
//     table.flag("--implicit", options.implicit, "Learn a coefficient for each training token")
//         .needs("kernel");
//   }
//
// An option costs this row and its member: the command line, the messages for calls that do not fit
// together, Python's keyword and the page of all options come from it.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/data/value.h"
#include "trellis/frame/option.h"

namespace trellis::frame {

// What --method shows as the value of a variable without a writer of its own.
template <class Item>
std::string written(const Item& value) {
  if constexpr (requires { std::string(to_string(value)); }) {
    return std::string(to_string(value));
  } else if constexpr (requires { value.to_string(); }) {
    return value.to_string();
  } else if constexpr (requires { value.has_value(); }) {
    return value ? written(*value) : std::string();
  } else if constexpr (std::is_same_v<Item, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<Item>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_convertible_v<Item, std::string>) {
    return value;
  } else if constexpr (requires { value.first; }) {
    return written(value.first) + "=" + written(value.second);
  } else {
    std::string text;  // a list
    for (const auto& item : value) text += (text.empty() ? "" : ",") + written(item);
    return text;
  }
}

// Rules of several options.
class OptionList {
 public:
  explicit OptionList(std::vector<Option*> options) : options_(std::move(options)) {}
  OptionList& needs(const std::string& other, const std::string& because = {});
  OptionList& only_with(const std::string& other, const std::vector<std::string>& values,
                        const std::string& because = {});
  OptionList& excludes(const std::string& other, const std::string& because = {});

 private:
  std::vector<Option*> options_;
};

class OptionTable {
 public:
  OptionTable() = default;
  OptionTable(const OptionTable&) = delete;  // rows are bound to variables
  OptionTable& operator=(const OptionTable&) = delete;

  // The heading of the options that follow.
  void group(std::string title) { group_ = std::move(title); }

  // "--name", or "name" for an argument by place: text, a number or a count, one that may be
  // missing, or several. A count refuses a minus sign.
  template <class Item>
  requires std::is_constructible_v<Target, Item*> Option& option(const std::string& name,
                                                                 Item& value, std::string help) {
    return add(name, Target(&value), std::move(help));
  }
  // A word of an enumeration: the help lists the words and shows the default.
  template <Named Item>
  Option& option(const std::string& name, Item& value, std::string help) {
    return parsed(name, value, parse_named<Item>, std::move(help))
        .one_of(words_of<Item>())
        .shows(to_string(value));
  }
  template <Named Item>
  Option& option(const std::string& name, std::optional<Item>& value, std::string help) {
    return parsed(name, value, parse_named<Item>, std::move(help)).one_of(words_of<Item>());
  }
  // Text that `parse` makes a value of, or throws UsageError for.
  template <class Item, class Parse>
  Option& parsed(const std::string& name, Item& value, const Parse& parse, std::string help) {
    return add(name,
               AnyText{[&value, parse](const std::string& text) { value = parse(text); },
                       [&value] { return written(value); }},
               std::move(help));
  }
  // "--name", or "--name,!--no-name" for a flag that can be switched off again.
  Option& flag(const std::string& name, bool& value, std::string help) {
    return add(name, &value, std::move(help));
  }
  Option& flag(const std::string& name, std::optional<bool>& value, std::string help) {
    return add(name, &value, std::move(help));
  }
  // Makes the variable false.
  Option& unsetting_flag(const std::string& name, bool& value, std::string help) {
    return add(name, Off{&value}, std::move(help));
  }
  // Prints `text`, instead of running the command.
  Option& print_and_exit(const std::string& name, std::function<std::string()> text,
                         std::string help) {
    return add(name, PrintAndExit{std::move(text)}, std::move(help));
  }

  std::deque<Option>& options() { return options_; }
  const std::deque<Option>& options() const { return options_; }
  // Options that share rules.
  OptionList those(std::initializer_list<std::string_view> names);
  // By name, without dashes; throws UsageError, which names the nearest.
  const Option& at(std::string_view name) const;
  Option& at(std::string_view name);
  bool given(std::string_view name) const { return at(name).given(); }
  bool any_given(std::initializer_list<std::string_view> names) const;

  // Sets an option from plain data, as Python has it. Throws UsageError for a value of another
  // kind or out of range.
  void set(std::string_view name, const Value& value);
  // What rules cannot express: throws UsageError.
  void require(std::function<void()> check) { checks_.push_back(std::move(check)); }
  // Throws UsageError for options that do not fit together or are missing.
  void check() const;
  // A line for each option that the bits of the result depend on.
  std::string identity() const;

 private:
  Option& add(const std::string& name, Target target, std::string help);

  std::deque<Option> options_;  // rows stay where they are
  std::vector<std::function<void()>> checks_;
  std::string group_;
};

}  // namespace trellis::frame
