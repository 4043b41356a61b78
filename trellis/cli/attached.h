// Which command and option of CLI11 stands for which of the frame.
#pragma once

#include <map>

#include "trellis/frame/command.h"

// NOLINTNEXTLINE(readability-identifier-naming): theirs
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trellis::cli {

struct Attached {
  std::map<const CLI::App*, const frame::Command*> commands;
  std::map<const CLI::Option*, frame::Option*> options;
};

// Adds the options of a command to the one of CLI11.
void attach_options(CLI::App& app, frame::Command& command, Attached& attached);
// Marks the options that the command line gave.
void mark_given(const CLI::App& app, const Attached& attached);

}  // namespace trellis::cli
