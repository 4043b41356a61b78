// A command of the program: its options and what it does. A face of CLI11, which is all templates
// and is compiled in one place behind this.
//
//   Command command = task.command("predict", "Tag a file.");
//   command.option("file", call->file, "File to tag").required();
//   command.option("--nbest", call->nbest, "The K best").between(1, 1000);
//   command.option("--format", call->format, "Of the file");  // an enumeration: base/names.h
//   command.run([call] { return predict(*call); });
//
// --help fits on two screens of forty lines: a command with more options names the common ones by
// short_help(), and --help-all shows every one, by groups.
//
// Commands that use a model have a frame in model_command.h, and training one in
// training_command.h.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trellis::cli {

// One option, for what is said of it after its help.
class OptionRules {
 public:
  explicit OptionRules(CLI::Option* option) : option_(option) {}
  OptionRules& required();
  OptionRules& one_of(const std::vector<std::string>& words);
  OptionRules& between(double least, double most);
  // What the help shows as the value that holds where none is said; nothing: it says so in words.
  OptionRules& shows(std::string_view standard);
  OptionRules& hidden();  // not in the help, nor in the help of all options
  // What --help says instead; --help-all says all.
  OptionRules& brief(const std::string& help);
  OptionRules& takes(int count);  // so many values
  OptionRules& repeats();         // one value each time that it is said
  // May stand without a value, and then has this one.
  OptionRules& or_alone(const std::string& value);

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // A command below this one.
  Command command(const std::string& name, const std::string& description);
  // The heading of the options that follow.
  void group(const std::string& title) { group_ = title; }
  // The options that --help shows, in addition to required ones and those of every command; without
  // a call it shows all. --help-all always shows all. Names that the command does not have are
  // ignored; several calls add up.
  void short_help(const std::vector<std::string>& names);

  // "--name", or "name" for an argument by place: text, a number or a count, one that may not be
  // said, or several. The value must outlive the parsing; what counts something refuses a minus,
  // and the help shows the number that holds where none is said.
  template <class Value>
  OptionRules option(const std::string& name, Value& value, const std::string& help);
  // A word of an enumeration; the help lists them and says which one is meant if none is given.
  template <Named Value>
  OptionRules option(const std::string& name, Value& value, const std::string& help) {
    return parsed(name, value, parse_named<Value>, help)
        .one_of(words_of<Value>())
        .shows(to_string(value));
  }
  template <Named Value>
  OptionRules option(const std::string& name, std::optional<Value>& value,
                     const std::string& help) {
    return parsed(name, value, parse_named<Value>, help).one_of(words_of<Value>());
  }
  // LABEL=WEIGHT, each; the label may have '=' in it.
  OptionRules option(const std::string& name, std::map<std::string, double>& value,
                     const std::string& help);
  // Text that `parse` makes a value of, or throws UsageError for.
  template <class Value, class Parse>
  OptionRules parsed(const std::string& name, Value& value, const Parse& parse,
                     const std::string& help) {
    return text(
        name, [&value, parse](const std::string& written) { value = parse(written); }, help);
  }
  // "--name", or "--name,!--no-name" for one that can be taken back.
  OptionRules flag(const std::string& name, bool& value, const std::string& help);
  OptionRules flag(const std::string& name, std::optional<bool>& value, const std::string& help);
  // Makes it false.
  OptionRules unsetting_flag(const std::string& name, bool& value, const std::string& help);
  // Prints what `text` says, and ends the program.
  void print_and_exit(const std::string& name, std::function<std::string()> text,
                      const std::string& help);

  // What parsing it does; the result is the exit status.
  void run(std::function<int()> work);

 private:
  OptionRules grouped(CLI::Option* option) const;
  OptionRules text(const std::string& name, const std::function<void(const std::string&)>& read,
                   const std::string& help);

  CLI::App* app_;
  std::string group_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& version, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The first line of the description is all that the help of the program shows of it. `add` gives
  // the task its commands, where it is called at all: the flags of every task would take longer
  // than many a call.
  void task(const std::string& name, const std::string& description,
            std::function<void(Command& task)> add);
  // The exit status: 0 done, 1 the data or the model is wrong, 2 the call is wrong.
  int run(int argc, char** argv);

 private:
  int refuse(const std::string& complaint);

  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::function<void()>> tasks_;  // each adds its commands
};

// The options that every command of every task understands.
struct CommonOptions {
  int threads = 0;
  bool json = false;
  bool quiet = false;
};
void add_common_options(Command& command, CommonOptions& options);

}  // namespace trellis::cli
