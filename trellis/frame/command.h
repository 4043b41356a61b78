// A command of a task as data: its options and the function that runs it. The program makes its
// command line from it (cli/program.h), Python its functions.
//
//   Command& command = task.command("predict", "Tag a file.");
//   command.option("file", call->file, "File to tag").required();
//   command.option("--nbest", call->nbest, "Number of best label sequences").between(1, 1000);
//   command.run([call](Session&) { return predict(*call); });
//
// Commands that use a model have a frame in model_command.h, and training one in
// training_command.h.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/frame/option_table.h"
#include "trellis/frame/session.h"

namespace trellis::frame {

// The options that every command of every task has.
struct CommonOptions {
  int threads = 0;
  bool json = false;
  bool quiet = false;
};

// What a command found.
struct Findings {
  std::string text = {};  // for people, unless there is a record
  std::vector<std::string> warnings = {};
  std::vector<std::string> notes = {};
  std::string page = {};            // of --report
  std::vector<Value> records = {};  // instead of the text, if JSON was asked for: a line for each
  bool interrupted = false;         // exit status 130
  std::optional<std::string> fault = {};  // the error that ended the work after this
};
// The record if JSON was asked for, else the text.
Findings answer(const CommonOptions& call, Value record, std::string text,
                std::vector<std::string> warnings = {});

class Command : public OptionTable {
 public:
  Command(std::string name, std::string description)
      : name_(std::move(name)), description_(std::move(description)) {}

  // A command below this one.
  Command& command(std::string name, std::string description);
  // The options that --help shows, in addition to required ones and those of every command; without
  // a call it shows all. --help-all always shows all. Names that the command does not have are
  // ignored; several calls add up.
  void short_help(const std::vector<std::string>& names);
  void run(std::function<Findings(Session&)> work) { work_ = std::move(work); }

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  std::deque<Command>& commands() { return commands_; }
  const std::deque<Command>& commands() const { return commands_; }
  // The command below this one of that name; throws UsageError, which names the nearest.
  Command& below(std::string_view name);
  bool in_short_help(const Option& option) const;

  // Checks the options against each other, and runs.
  Findings call(Session& session) const;

 private:
  std::string name_, description_;
  std::deque<Command> commands_;
  std::set<std::string, std::less<>> short_help_;
  std::function<Findings(Session&)> work_;
};

void add_common_options(Command& command, CommonOptions& options);

// A task of the program: `add` gives it its commands.
struct Task {
  std::string_view name;
  std::string_view example;      // a call to begin with
  std::string_view description;  // the help of the program shows its first line
  void (*add)(Command& task);
};

}  // namespace trellis::frame
