#include "trellis/cli/attached.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/names.h"
#include "trellis/base/text.h"
#include "trellis/cli/console.h"

namespace trellis::cli {
namespace {

using frame::Option;

// A minus sign in front of a count would wrap around.
const CLI::Validator& not_negative() {
  static const CLI::Validator validator(
      [](std::string& text) {
        return text.empty() || text.front() != '-' ? std::string()
                                                   : "expected a number from 0 on, found " + text;
      },
      "");
  return validator;
}

template <class Value>
constexpr bool kCounts =
    std::is_same_v<Value, Index> || std::is_same_v<Value, std::vector<Index>> ||
    std::is_same_v<Value, std::optional<Index>>;
template <class Value>
constexpr bool kNumbers =
    std::is_same_v<Value, std::vector<Index>> || std::is_same_v<Value, std::vector<double>>;

// LABEL=WEIGHT, each; the label may contain '='.
void read_weights(const std::vector<std::string>& texts, std::map<std::string, double>& weights) {
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_double(text.substr(equals + 1));
    if (!weight) {
      throw UsageError(fmt::format("a label weight is '{}': expected LABEL=WEIGHT", text));
    }
    weights[text.substr(0, equals)] = *weight;
  }
}

// Adds an option to CLI11, by the variable that it sets.
struct Adder {
  CLI::App& app;
  const std::string name;
  const std::string& help;

  template <class Value>
  CLI::Option* operator()(Value* value) const {
    CLI::Option* option = app.add_option(name, *value, help);
    if constexpr (kCounts<Value>) option->check(not_negative());
    if constexpr (kNumbers<Value>) option->delimiter(',');
    if constexpr (std::is_arithmetic_v<Value>) option->capture_default_str();
    return option;
  }
  CLI::Option* operator()(std::map<std::string, double>* value) const {
    return app.add_option_function<std::vector<std::string>>(
        name, [value](const std::vector<std::string>& texts) { read_weights(texts, *value); },
        help);
  }
  CLI::Option* operator()(bool* value) const { return app.add_flag(name, *value, help); }
  CLI::Option* operator()(std::optional<bool>* value) const {
    return app.add_flag_function(
        name, [value](std::int64_t count) { *value = count > 0; }, help);
  }
  CLI::Option* operator()(const frame::AnyText& text) const {
    return app.add_option_function<std::string>(name, text.read, help);
  }
  CLI::Option* operator()(const frame::Off& off) const {
    return app.add_flag_callback(
        name, [value = off.value] { *value = false; }, help);
  }
  CLI::Option* operator()(const frame::PrintAndExit& page) const {
    return app.add_flag_callback(
        name,
        [text = page.text] {
          print(text());
          throw CLI::Success();
        },
        help);
  }
};

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const std::vector<std::string_view> known(words.begin(), words.end());
        return fmt::format("there is no '{}': {}", text, suggestion(known, text));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

CLI::Validator between(const Option::Range& range) {
  const bool open = range.most >= 1e9;  // a bound that only keeps numbers computable
  const std::string text = open ? fmt::format("{:g} or more", range.least)
                                : fmt::format("{:g} to {:g}", range.least, range.most);
  return CLI::Validator(
      [range, text](const std::string& written) {
        const std::optional<double> value = parse_double(written);
        const bool within = value && *value >= range.least && *value <= range.most;
        return within ? std::string() : fmt::format("{}: expected {}", written, text);
      },
      text);
}

CLI::Option* add(CLI::App& app, const Option& option) {
  const Option::Facts& facts = option.facts();
  const std::string name = option.flag() + (facts.off.empty() ? "" : ",!--" + facts.off);
  CLI::Option* added = std::visit(Adder{app, name, facts.help}, facts.target);
  if (!facts.group.empty()) added->group(facts.group);
  if (facts.required) added->required();
  if (!facts.words.empty()) added->check(one_of(facts.words));
  if (facts.range) added->check(between(*facts.range));
  if (facts.count > 0) added->expected(facts.count);
  if (facts.repeats) {
    added->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  }
  if (facts.shown) added->default_str(*facts.shown);
  if (facts.alone) added->expected(0, 1)->default_str(*facts.alone);
  if (facts.hidden) added->group("");
  return added;
}

}  // namespace

void attach_options(CLI::App& app, frame::Command& command, Attached& attached) {
  attached.commands[&app] = &command;
  for (Option& option : command.options()) attached.options[add(app, option)] = &option;
}

void mark_given(const CLI::App& app, const Attached& attached) {
  for (const CLI::Option* option : app.get_options()) {
    const auto known = attached.options.find(option);
    if (known != attached.options.end() && option->count() > 0) known->second->mark_given();
  }
}

}  // namespace trellis::cli
