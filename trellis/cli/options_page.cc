#include "trellis/cli/options_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <variant>
#include <vector>

#include "trellis/frame/command.h"
#include "trellis/tasks/tasks.h"

namespace trellis::cli {
namespace {

using frame::Command;
using frame::Option;

constexpr std::string_view kTop =
    R"(# Options

All options of all commands, as `trellis TASK COMMAND --help-all` shows them. The program writes this page from its own
tables (`trellis --options-page`), and a test compares the two.

In Python an option has the same name, with `_` for `-`. A default stands in brackets at the end of the text, or in the
column *default*; the column *rules* says which other options an option requires or excludes.
)";

// In a cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    c == '\n' ? escaped += "<br>" : escaped += c;
  }
  return escaped;
}

std::string values_of(const Option& option) {
  const Option::Facts& facts = option.facts();
  if (option.is_flag()) return {};
  if (!facts.words.empty()) return fmt::format("{}", fmt::join(facts.words, ", "));
  if (!facts.range) return {};
  const bool open = facts.range->most >= 1e9;
  return open ? fmt::format("{:g} or more", facts.range->least)
              : fmt::format("{:g} to {:g}", facts.range->least, facts.range->most);
}

// Only numbers and words have a default that the text does not give.
std::string default_of(const Option& option) {
  const Option::Facts& facts = option.facts();
  if (facts.shown) return *facts.shown;
  const bool number = std::holds_alternative<double*>(facts.target) ||
                      std::holds_alternative<Index*>(facts.target) ||
                      std::holds_alternative<int*>(facts.target);
  return number ? option.value() : std::string();
}

std::string rules_of(const Option& option) {
  std::vector<std::string> texts;
  for (const Option::Rule& rule : option.facts().rules) {
    texts.push_back(fmt::format("{} `--{}`{}{}", rule.excluded ? "not with" : "requires",
                                rule.other, rule.values.empty() ? "" : " ",
                                fmt::join(rule.values, " or ")));
  }
  if (option.facts().required) texts.emplace_back("required");
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string row_of(const Option& option) {
  const Option::Facts& facts = option.facts();
  const std::string off = facts.off.empty() ? "" : fmt::format(", `--{}`", facts.off);
  return fmt::format("| `{}`{} | {} | {} | {} | {} |\n", option.flag(), off, cell(facts.help),
                     cell(values_of(option)), cell(default_of(option)), cell(rules_of(option)));
}

constexpr std::string_view kHead =
    "| option | meaning | values | default | rules |\n|---|---|---|---|---|\n";

}  // namespace

std::string options_page() {
  std::string page(kTop);
  for (const frame::Task& task : tasks()) {
    Command commands(std::string(task.name), std::string(task.description));
    task.add(commands);
    page += fmt::format("\n## {}\n", task.name);
    for (const Command& command : commands.commands()) {
      page += fmt::format("\n### {} {}\n\n{}", task.name, command.name(), kHead);
      for (const Option& option : command.options()) {
        if (!option.facts().hidden) page += row_of(option);
      }
    }
  }
  return page;
}

}  // namespace trellis::cli
