// The program `trellis`. Exit status: 0 done, 1 the data or the model is wrong, 2 the call is
// wrong, 130 interrupted.
#include <fmt/format.h>

#include <string>

#include "trellis/cli/program.h"
#include "trellis/tasks/tasks.h"

namespace trellis {
namespace {

std::string description() {
  std::string text = "Learning to predict structures; see 'trellis tag train --help' for example:";
  for (const frame::Task& task : tasks()) {
    text += fmt::format("\n  trellis {} {}", task.name, task.example);
  }
  return text;
}

}  // namespace
}  // namespace trellis

int main(int argc, char** argv) {
  trellis::cli::Program program("trellis", "0.1.0", trellis::description());
  for (const trellis::frame::Task& task : trellis::tasks()) program.task(task);
  return program.run(argc, argv);
}
