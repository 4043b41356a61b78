// The program `trellis`. Exit status: 0 done, 1 the data or the model is wrong, 2 the call is
// wrong, 130 interrupted.
#include <string>

#include "trellis/cli/tasks.h"

namespace trellis {
namespace {

struct Task {
  const char* name;
  const char* call;  // an example
  void (*add)(cli::Program& program);
};

#define TRELLIS_ENTER_TASK(task, call) {#task, call, task::add_##task},
constexpr Task kTasks[] = {TRELLIS_TASKS(TRELLIS_ENTER_TASK)};
#undef TRELLIS_ENTER_TASK

std::string description() {
  std::string text = "Learning to predict structures; see 'trellis tag train --help' for example:";
  for (const Task& task : kTasks) {
    text += std::string("\n  trellis ") + task.name + " " + task.call;
  }
  return text;
}

}  // namespace
}  // namespace trellis

int main(int argc, char** argv) {
  trellis::cli::Program program("trellis", "0.1.0", trellis::description());
  for (const trellis::Task& task : trellis::kTasks) task.add(program);
  return program.run(argc, argv);
}
