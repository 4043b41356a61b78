#include "trellis/cli/program.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "trellis/base/error.h"
#include "trellis/cli/console.h"
#include "trellis/cli/options_page.h"
#include "trellis/cli/screens.h"
#include "trellis/cli/wrong_call.h"
#include "trellis/data/json.h"

namespace trellis::cli {
namespace {

int fail(const std::string& sentence, int code) {
  std::fprintf(stderr, "trellis: %s\n", sentence.c_str());
  return code;
}

CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description)->group("Subcommands");  // not that of the one above
}

// Runs a command and prints what it found. Returns the exit status.
int run(const frame::Command& command) {
  Console console;
  const frame::Findings findings = command.call(console);
  console.warn_all(findings.warnings);
  if (findings.interrupted) return 130;
  print(findings.text);
  for (const Value& record : findings.records) print(to_json(record) + "\n");
  for (const std::string& note : findings.notes) console.note(note);
  return findings.fault ? fail(*findings.fault, 1) : 0;
}

}  // namespace

Program::Program(const std::string& name, const std::string& version,
                 const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", name + " " + version);
  // Tasks and commands inherit these.
  app_->set_help_all_flag("--help-all", "Print the help of all options and exit");
  app_->formatter(screens(attached_));
  app_->require_subcommand(1);
  const auto print_options = [] {
    print(options_page());
    throw CLI::Success();
  };
  app_->add_flag_callback("--options-page", print_options)->group("");  // not in the help
}

Program::~Program() = default;

void Program::attach(CLI::App& app, frame::Command& command) {
  attach_options(app, command, attached_);
  for (frame::Command& below : command.commands()) {
    app.require_subcommand(1);
    CLI::App& added = *add_subcommand(app, below.name(), below.description());
    attach(added, below);
    added.callback([this, &added, &below] {
      mark_given(added, attached_);
      status_ = cli::run(below);
    });
  }
}

void Program::task(const frame::Task& task) {
  CLI::App* app =
      add_subcommand(*app_, std::string(task.name), std::string(task.description))->group("Tasks");
  tasks_[std::string(task.name)] = [this, app, &task] {
    frame::Command& command =
        commands_.emplace_back(std::string(task.name), std::string(task.description));
    task.add(command);
    attach(*app, command);
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
  for (int k = 1; k < argc; ++k) {
    // Taken out: a word may occur twice.
    if (const auto named = tasks_.extract(argv[k])) named.mapped()();
  }
  app_->formatter(one_screen());  // now: the tasks have inherited the other one
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
  return status_;
}

}  // namespace trellis::cli
