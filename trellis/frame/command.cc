#include "trellis/frame/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::frame {
namespace {

// Every command has these in its short help.
constexpr std::array<std::string_view, 4> kEverywhere = {"threads", "json", "quiet", "output"};

}  // namespace

Findings answer(const CommonOptions& call, Value record, std::string text,
                std::vector<std::string> warnings) {
  Findings findings;
  if (call.json) {
    findings.records.push_back(std::move(record));
  } else {
    findings.text = std::move(text);
  }
  findings.warnings = std::move(warnings);
  return findings;
}

Command& Command::command(std::string name, std::string description) {
  return commands_.emplace_back(std::move(name), std::move(description));
}

void Command::short_help(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    short_help_.insert(name.substr(name.find_first_not_of('-')));
}

Command& Command::below(std::string_view name) {
  std::vector<std::string_view> names;
  for (Command& command : commands_) {
    if (command.name() == name) return command;
    names.push_back(command.name());
  }
  throw UsageError(fmt::format("there is no command '{}': {}", name, suggestion(names, name)));
}

bool Command::in_short_help(const Option& option) const {
  return short_help_.empty() || option.facts().required || short_help_.contains(option.name()) ||
         std::find(kEverywhere.begin(), kEverywhere.end(), option.name()) != kEverywhere.end();
}

Findings Command::call(Session& session) const {
  check();
  return work_(session);
}

void add_common_options(Command& command, CommonOptions& options) {
  command.group("");
  command.option("--threads", options.threads, "Number of threads; 0: all cores").same_bits();
  command.flag("--json", options.json, "Print one JSON object with stable keys").same_bits();
  command.flag("--quiet", options.quiet, "Print no notes and no progress").same_bits();
}

}  // namespace trellis::frame
