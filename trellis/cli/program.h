// The command line of the program, made from the tasks' commands (frame/command.h). A face of
// CLI11, which is all templates and is compiled in one place behind this.
//
// --help fits on two screens of forty lines: a command with more options names the common ones by
// short_help(), and --help-all shows every one, by groups.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "trellis/cli/attached.h"
#include "trellis/frame/command.h"

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class App;
}  // namespace CLI

namespace trellis::cli {

class Program {
 public:
  Program(const std::string& name, const std::string& version, const std::string& description);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Its commands are made only if it is called: those of all tasks would take longer than many a
  // call.
  void task(const frame::Task& task);
  // The exit status: 0 done, 1 the data or the model is wrong, 2 the call is wrong.
  int run(int argc, char** argv);

 private:
  void attach(CLI::App& app, frame::Command& command);
  int refuse(const std::string& complaint);

  std::unique_ptr<CLI::App> app_;
  Attached attached_;
  std::deque<frame::Command> commands_;                 // of tasks
  std::map<std::string, std::function<void()>> tasks_;  // each adds its commands
  int status_ = 0;
};

}  // namespace trellis::cli
