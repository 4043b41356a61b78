#include "trellis/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/cli/console.h"

namespace trellis::cli {
namespace {

// The exit status of the command that was run.
int status = 0;

int fail(const std::exception& error, int code) {
  std::fprintf(stderr, "trellis: %s\n", error.what());
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
  return app.add_subcommand(name, description);
}

}  // namespace

OptionRules& OptionRules::required() {
  option_->required();
  return *this;
}
OptionRules& OptionRules::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
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
OptionRules& OptionRules::takes(int count) {
  option_->expected(count);
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
  app_->require_subcommand(1);
}

Program::~Program() = default;

void Program::task(const std::string& name, const std::string& description,
                   std::function<void(Command&)> add) {
  tasks_[name] = [app = add_subcommand(*app_, name, description), add = std::move(add)] {
    Command task(app);
    add(task);
  };
}

int Program::run(int argc, char** argv) {
  cli::status = 0;
  for (int k = 1; k < argc; ++k) {
    // Taken out: a word may be said twice.
    if (const auto named = tasks_.extract(argv[k])) named.mapped()();
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? 0 : 2;
  } catch (const UsageError& error) {
    return fail(error, 2);
  } catch (const InputError& error) {
    return fail(error, 1);
  } catch (const std::bad_alloc&) {
    std::fputs("trellis: there is not enough memory for this\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
  return cli::status;
}

void add_common_options(Command& command, CommonOptions& options) {
  command.group("");
  command.option("--threads", options.threads, "Threads to use; 0: all cores");
  command.flag("--json", options.json, "Print one JSON object with stable keys");
  command.flag("--quiet", options.quiet, "No notes and no progress");
}

}  // namespace trellis::cli
