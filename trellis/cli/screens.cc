#include "trellis/cli/screens.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/base/types.h"

namespace trellis::cli {
namespace {

constexpr Index kScreenWidth = 100;
constexpr Index kNameWidth = 28;

// The words of a line, in lines of at most `width` bytes that begin with as many blanks as it; only
// a word that is longer exceeds it.
std::vector<std::string> wrapped(std::string_view line, Index width) {
  const Index indent = std::min(line.find_first_not_of(' '), line.size());
  std::vector<std::string> lines = {std::string(indent, ' ')};
  for (Index at = indent; at < line.size();) {
    const Index end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    if (lines.back().size() > indent && lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(indent, ' ');
    }
    if (lines.back().size() > indent) lines.back() += ' ';
    lines.back() += word;
    at = end + 1;
  }
  return lines;
}

// A name on the left, and what it means on the right.
std::string two_columns(const std::string& name, std::string_view meaning) {
  std::string text = "  " + name;
  if (text.size() > kScreenWidth) {  // a list of words: no line ends within one
    const auto comma = text.rfind(',', kScreenWidth - 1);
    if (comma != std::string::npos) text.insert(comma + 1, "\n" + std::string(kNameWidth, ' '));
  }
  Index column = text.size();
  if (column + 2 > kNameWidth) {
    text += '\n';
    column = 0;
  }
  std::vector<std::string_view> paragraphs;
  split(meaning, '\n', paragraphs);
  for (const std::string_view paragraph : paragraphs) {
    for (const std::string& line : wrapped(paragraph, kScreenWidth - kNameWidth)) {
      text += std::string(kNameWidth - column, ' ') + line + '\n';
      column = 0;
    }
  }
  return text;
}

// Examples of calls are indented, and stay whole.
std::string description_text(std::string_view description) {
  std::string text;
  std::vector<std::string_view> paragraphs;
  split(description, '\n', paragraphs);
  for (const std::string_view paragraph : paragraphs) {
    const Index width = paragraph.starts_with(' ') ? paragraph.size() : kScreenWidth;
    for (const std::string& line : wrapped(paragraph, width)) text += line + '\n';
  }
  return text;
}

// The help of a task and of a command.
class Screens final : public CLI::Formatter {
 public:
  explicit Screens(const Attached& attached) : attached_(attached) {
    label("SUBCOMMAND", "COMMAND");
  }
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override {
    const bool all = mode == CLI::AppFormatMode::All;
    std::string text = description_text(command->get_description()) + make_usage(command, name);
    text += options_text("Arguments", all, command->get_options([](const CLI::Option* option) {
      return option->get_positional() && !option->get_group().empty();
    }));
    bool hides = false;
    for (const std::string& group : command->get_groups()) {
      if (group.empty()) continue;
      std::vector<const CLI::Option*> options =
          command->get_options([&](const CLI::Option* option) {
            return option->nonpositional() && option->get_group() == group;
          });
      const auto is_hidden = [&](const CLI::Option* option) {
        return !all && !in_short_help(*command, *option);
      };
      if (std::erase_if(options, is_hidden) > 0) hides = true;
      text += options_text(group, all, options);
    }
    const std::vector<const CLI::App*> below = command->get_subcommands({});
    if (!below.empty()) text += "\nCommands:\n";
    for (const CLI::App* one : below) text += make_subcommand(one);
    if (hides) text += fmt::format("\n'{} --help-all' shows all options.\n", name);
    return text;
  }
  std::string make_subcommand(const CLI::App* command) const override {
    const std::string description = command->get_description();
    return two_columns(command->get_name(), description.substr(0, description.find('\n')));
  }

 private:
  const frame::Option* option_of(const CLI::Option& option) const {
    const auto known = attached_.options.find(&option);
    return known == attached_.options.end() ? nullptr : known->second;
  }
  bool in_short_help(const CLI::App& app, const CLI::Option& option) const {
    const auto command = attached_.commands.find(&app);
    const frame::Option* known = option_of(option);
    return command == attached_.commands.end() || known == nullptr ||
           command->second->in_short_help(*known);
  }
  std::string options_text(const std::string& title, bool all,
                           const std::vector<const CLI::Option*>& options) const {
    if (options.empty()) return {};
    std::string text = fmt::format("\n{}:\n", title);
    for (const CLI::Option* option : options) {
      const frame::Option* known = option_of(*option);
      const bool shortened = !all && known != nullptr && !known->facts().brief.empty();
      text +=
          two_columns(make_option_name(option, option->get_positional()) + make_option_opts(option),
                      shortened ? known->facts().brief : make_option_desc(option));
    }
    return text;
  }

  const Attached& attached_;
};

// The help of the program itself, on one screen: of each task the first line.
class OneScreen final : public CLI::Formatter {
 public:
  OneScreen() {
    column_width(14);
    label("SUBCOMMAND", "TASK COMMAND");
  }
  std::string make_subcommand(const CLI::App* task) const override {
    const std::string& description = task->get_description();
    return fmt::format("  {:<{}}{}\n", task->get_name(), get_column_width() - 2,
                       description.substr(0, description.find('\n')));
  }
  // Without a heading: the line of the call stands above, and two lines are a task.
  std::string make_subcommands(const CLI::App* program,
                               CLI::AppFormatMode /*mode*/) const override {
    std::string text;
    for (const CLI::App* task : program->get_subcommands({})) text += make_subcommand(task);
    return text;
  }
  std::string make_help(const CLI::App* program, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(program, std::move(name), mode);
    while (text.ends_with("\n\n")) text.pop_back();  // a line of the screen
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> screens(const Attached& attached) {
  return std::make_shared<Screens>(attached);
}

std::shared_ptr<CLI::FormatterBase> one_screen() {
  return std::make_shared<OneScreen>();
}

}  // namespace trellis::cli
