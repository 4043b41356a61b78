#include "trellis/cli/wrong_call.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"

namespace trellis::cli {
namespace {

std::string call_of(const CLI::App& app) {
  const CLI::App* above = app.get_parent();
  return above == nullptr ? app.get_name() : call_of(*above) + " " + app.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string_view> command_names(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

// Without their dashes; those that the help does not show are not what is meant.
std::vector<std::string_view> option_names(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

// The command below this one that has the option, the called one first.
const CLI::App* command_with(const CLI::App& app, const std::string& option) {
  std::vector<const CLI::App*> below = commands_of(app);
  std::stable_partition(below.begin(), below.end(),
                        [](const CLI::App* command) { return command->count() > 0; });
  for (const CLI::App* command : below) {
    if (command->get_option_no_throw(option) != nullptr) return command;
    if (const CLI::App* found = command_with(*command, option)) return found;
  }
  return nullptr;
}

std::string unknown_option(const CLI::App& app, const std::string& option) {
  if (const CLI::App* command = command_with(app, option)) {
    return fmt::format("the option '{0}' must come after its command: {1} {0}", option,
                       call_of(*command));
  }
  const std::string name = option.substr(option.find_first_not_of('-'));  // -model is near as well
  if (const auto nearest = nearest_name(option_names(app), name)) {
    return fmt::format("there is no option '{}': did you mean --{}?", option, *nearest);
  }
  return fmt::format("there is no option '{}': '{} --help-all' lists all options", option,
                     call_of(app));
}

std::string unknown_word(const CLI::App& app, const std::string& word) {
  const bool is_option = word.starts_with('-') && word.find_first_not_of('-') != std::string::npos;
  if (is_option) return unknown_option(app, word.substr(0, word.find('=')));
  const std::vector<std::string_view> commands = command_names(app);
  if (commands.empty()) {
    return fmt::format("unexpected argument '{}' for '{}'", word, call_of(app));
  }
  const bool is_program = app.get_parent() == nullptr;
  for (const CLI::App* task : commands_of(app)) {
    const std::vector<std::string_view> below = command_names(*task);
    if (std::find(below.begin(), below.end(), word) != below.end()) {
      return fmt::format("'{0}' must come after a task: {1} {0}", word, call_of(*task));
    }
  }
  return fmt::format("there is no {} '{}': {}", is_program ? "task" : "command", word,
                     suggestion(commands, word));
}

}  // namespace

std::optional<std::string> unknown_word(const CLI::App& app) {
  for (const std::string& word : app.remaining()) {
    if (word != "--") return unknown_word(app, word);
  }
  for (const CLI::App* command : app.get_subcommands()) {
    if (auto unknown = unknown_word(*command)) return unknown;
  }
  return std::nullopt;
}

std::string wrong_call(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* called = &program;
  while (!called->get_subcommands().empty()) called = called->get_subcommands().back();
  const std::vector<std::string_view> commands = command_names(*called);
  const std::string call = call_of(*called);
  if (!commands.empty()) {
    return fmt::format("expected a {} after '{}': {}", called == &program ? "task" : "command",
                       call, fmt::join(commands, ", "));
  }
  return fmt::format("{} (see '{} --help')", error.what(), call);
}

}  // namespace trellis::cli
