// A command of the program: its options and what it does. A face of CLI11, which is all templates
// and is compiled in one place behind this.
//
//   auto call = std::make_shared<Call>();
//   Command command = task.command("predict", "Tag a file.");
//   command.option("file", call->file, "File to tag").required();
//   command.option("--nbest", call->nbest, "The K best").between(1, 1000);
//   command.run([call] { return predict(*call); });
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

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
  OptionRules& shows_default();  // in the help
  OptionRules& hidden();         // not in the help
  OptionRules& separated_by(char delimiter);
  OptionRules& takes(int count);  // so many values each time
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

  // "--name", or "name" for an argument by place. The value must outlive the parsing; what counts
  // something refuses a minus.
  OptionRules option(const std::string& name, std::string& value, const std::string& help);
  OptionRules option(const std::string& name, double& value, const std::string& help);
  OptionRules option(const std::string& name, Index& value, const std::string& help);
  OptionRules option(const std::string& name, int& value, const std::string& help);
  OptionRules option(const std::string& name, std::optional<double>& value,
                     const std::string& help);
  OptionRules option(const std::string& name, std::optional<Index>& value, const std::string& help);
  OptionRules option(const std::string& name, std::vector<std::string>& value,
                     const std::string& help);
  OptionRules option(const std::string& name, std::vector<double>& value, const std::string& help);
  OptionRules option(const std::string& name, std::vector<Index>& value, const std::string& help);
  // "--name", or "--name,!--no-name" for one that can be taken back.
  OptionRules flag(const std::string& name, bool& value, const std::string& help);
  OptionRules flag(const std::string& name, std::optional<bool>& value, const std::string& help);
  // Prints what `text` says, and ends the program.
  void print_and_exit(const std::string& name, std::function<std::string()> text,
                      const std::string& help);

  // What parsing it does; the result is the exit status.
  void run(std::function<int()> work);

 private:
  OptionRules grouped(CLI::Option* option) const;

  CLI::App* app_;
  std::string group_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& version, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command task(const std::string& name, const std::string& description);
  // The exit status: 0 done, 1 the data or the model is wrong, 2 the call is wrong.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

// The options that every command of every task understands.
struct CommonOptions {
  int threads = 0;
  bool json = false;
  bool quiet = false;
};
void add_common_options(Command& command, CommonOptions& options);

}  // namespace trellis::cli
