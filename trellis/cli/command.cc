#include "trellis/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/names.h"
#include "trellis/base/text.h"
#include "trellis/cli/console.h"

namespace trellis::cli {
namespace {

// The exit status of the command that was run.
int status = 0;

int fail(const std::string& sentence, int code) {
  std::fprintf(stderr, "trellis: %s\n", sentence.c_str());
  return code;
}

// Without this a minus before what counts something would wrap around.
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

CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description)->group("Subcommands");  // not that of the one above
}

// What the help shows; the options of CLI11 have no place for it.
using Names = std::set<std::string, std::less<>>;
std::map<const CLI::App*, Names>& short_helps() {
  static std::map<const CLI::App*, Names> all;
  return all;
}
std::map<const CLI::Option*, std::string>& briefs() {
  static std::map<const CLI::Option*, std::string> all;
  return all;
}

// Every command has these in its short help.
constexpr std::array<std::string_view, 6> kEverywhere = {"help", "help-all", "threads",
                                                         "json", "quiet",    "output"};

bool in_short_help(const CLI::App& command, const CLI::Option& option) {
  const auto listed = short_helps().find(&command);
  if (listed == short_helps().end() || option.get_required()) return true;
  const std::vector<std::string>& names = option.get_lnames();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return listed->second.contains(name) ||
           std::find(kEverywhere.begin(), kEverywhere.end(), name) != kEverywhere.end();
  });
}

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
  Screens() { label("SUBCOMMAND", "COMMAND"); }
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
  std::string options_text(const std::string& title, bool all,
                           const std::vector<const CLI::Option*>& options) const {
    if (options.empty()) return {};
    std::string text = fmt::format("\n{}:\n", title);
    for (const CLI::Option* option : options) {
      const auto brief = briefs().find(option);
      const bool shortened = !all && brief != briefs().end();
      text +=
          two_columns(make_option_name(option, option->get_positional()) + make_option_opts(option),
                      shortened ? brief->second : make_option_desc(option));
    }
    return text;
  }
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

// Messages for a wrong call.

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

// The message for the first word that no command accepts. CLI11 (2.1.2) reports such a word last,
// after what is missing or wrong because of it.
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

}  // namespace

OptionRules& OptionRules::required() {
  option_->required();
  return *this;
}
OptionRules& OptionRules::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::Validator(
      [words](const std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const std::vector<std::string_view> known(words.begin(), words.end());
        return fmt::format("there is no '{}': {}", text, suggestion(known, text));
      },
      fmt::format("{{{}}}", fmt::join(words, ","))));
  return *this;
}
OptionRules& OptionRules::between(double least, double most) {
  const bool open = most >= 1e9;  // such bounds are there for what computes with it
  const std::string range =
      open ? fmt::format("{:g} or more", least) : fmt::format("{:g} to {:g}", least, most);
  option_->check(CLI::Validator(
      [least, most, range](const std::string& text) {
        const std::optional<double> value = parse_double(text);
        const bool within = value && *value >= least && *value <= most;
        return within ? std::string() : fmt::format("{}: expected {}", text, range);
      },
      range));
  return *this;
}
OptionRules& OptionRules::shows(std::string_view standard) {
  option_->default_str(std::string(standard));
  return *this;
}
OptionRules& OptionRules::hidden() {
  option_->group("");
  return *this;
}
OptionRules& OptionRules::brief(const std::string& help) {
  briefs()[option_] = help;
  return *this;
}
OptionRules& OptionRules::takes(int count) {
  option_->expected(count);
  return *this;
}
OptionRules& OptionRules::repeats() {
  option_->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  return *this;
}
OptionRules& OptionRules::or_alone(const std::string& value) {
  option_->expected(0, 1)->default_str(value);
  return *this;
}

OptionRules Command::grouped(CLI::Option* option) const {
  if (!group_.empty()) option->group(group_);
  return OptionRules(option);
}

void Command::short_help(const std::vector<std::string>& names) {
  Names& known = short_helps()[app_];
  for (const std::string& name : names) known.insert(name.substr(name.find_first_not_of('-')));
}

Command Command::command(const std::string& name, const std::string& description) {
  app_->require_subcommand(1);
  return Command(add_subcommand(*app_, name, description));
}

template <class Value>
OptionRules Command::option(const std::string& name, Value& value, const std::string& help) {
  CLI::Option* option = app_->add_option(name, value, help);
  if constexpr (kCounts<Value>) option->check(not_negative());
  if constexpr (kNumbers<Value>) option->delimiter(',');
  if constexpr (std::is_arithmetic_v<Value>) option->capture_default_str();
  return grouped(option);
}
using Text = const std::string&;
template OptionRules Command::option(Text, std::string&, Text);
template OptionRules Command::option(Text, double&, Text);
template OptionRules Command::option(Text, Index&, Text);
template OptionRules Command::option(Text, int&, Text);
template OptionRules Command::option(Text, std::optional<double>&, Text);
template OptionRules Command::option(Text, std::optional<Index>&, Text);
template OptionRules Command::option(Text, std::vector<std::string>&, Text);
template OptionRules Command::option(Text, std::vector<double>&, Text);
template OptionRules Command::option(Text, std::vector<Index>&, Text);

OptionRules Command::option(const std::string& name, std::map<std::string, double>& value,
                            const std::string& help) {
  const auto read = [&value](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto equals = text.rfind('=');
      const auto weight =
          equals == std::string::npos ? std::nullopt : parse_double(text.substr(equals + 1));
      if (!weight) {
        throw UsageError(fmt::format("a label weight is '{}': expected LABEL=WEIGHT", text));
      }
      value[text.substr(0, equals)] = *weight;
    }
  };
  return grouped(app_->add_option_function<std::vector<std::string>>(name, read, help));
}
OptionRules Command::text(const std::string& name,
                          const std::function<void(const std::string&)>& read,
                          const std::string& help) {
  return grouped(app_->add_option_function<std::string>(name, read, help));
}
OptionRules Command::unsetting_flag(const std::string& name, bool& value, const std::string& help) {
  return grouped(app_->add_flag_callback(
      name, [&value] { value = false; }, help));
}
OptionRules Command::flag(const std::string& name, bool& value, const std::string& help) {
  return grouped(app_->add_flag(name, value, help));
}
OptionRules Command::flag(const std::string& name, std::optional<bool>& value,
                          const std::string& help) {
  return grouped(app_->add_flag_function(
      name, [&value](std::int64_t count) { value = count > 0; }, help));
}

void Command::print_and_exit(const std::string& name, std::function<std::string()> text,
                             const std::string& help) {
  grouped(app_->add_flag_callback(
      name,
      [text = std::move(text)] {
        print(text());
        throw CLI::Success();
      },
      help));
}

void Command::run(std::function<int()> work) {
  app_->callback([work = std::move(work)] { status = work(); });
}

Program::Program(const std::string& name, const std::string& version,
                 const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", name + " " + version);
  // Tasks and commands inherit these.
  app_->set_help_all_flag("--help-all", "Print the help of all options and exit");
  app_->formatter(std::make_shared<Screens>());
  app_->require_subcommand(1);
}

Program::~Program() = default;

void Program::task(const std::string& name, const std::string& description,
                   std::function<void(Command&)> add) {
  CLI::App* app = add_subcommand(*app_, name, description)->group("Tasks");
  tasks_[name] = [app, add = std::move(add)] {
    Command task(app);
    add(task);
  };
}

// An unknown word first: it may be why something else is missing, or a value is wrong.
int Program::refuse(const std::string& complaint) {
  if (!app_->remaining().empty()) {
    for (const auto& [name, add] : tasks_) add();  // it may be a command of one of them
  }
  return fail(unknown_word(*app_).value_or(complaint), 2);
}

int Program::run(int argc, char** argv) {
  cli::status = 0;
  for (int k = 1; k < argc; ++k) {
    // Taken out: a word may occur twice.
    if (const auto named = tasks_.extract(argv[k])) named.mapped()();
  }
  app_->formatter(std::make_shared<OneScreen>());  // now: the tasks have inherited the other one
  // All tasks fit on one screen if these two, which everybody knows, are not on it.
  app_->get_help_ptr()->group("");
  app_->get_version_ptr()->group("");
  app_->get_option("--help-all")->group("");
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error);
    return refuse(wrong_call(*app_, error));
  } catch (const UsageError& error) {
    return refuse(error.what());
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", 1);
  } catch (const std::exception& error) {
    return fail(error.what(), 1);
  }
  return cli::status;
}

void add_common_options(Command& command, CommonOptions& options) {
  command.group("");
  command.option("--threads", options.threads, "Number of threads; 0: all cores");
  command.flag("--json", options.json, "Print one JSON object with stable keys");
  command.flag("--quiet", options.quiet, "Print no notes and no progress");
}

}  // namespace trellis::cli
