#include "trellis/tasks/tasks.h"

#include <array>
#include <vector>

#include "trellis/base/names.h"

namespace trellis {

std::span<const frame::Task* const> tasks() {
  static constexpr std::array kTasks = {
      &tag::kTask,    &classify::kTask, &segment::kTask, &label::kTask, &match::kTask,
      &align::kTask,  &parse::kTask,    &grammar::kTask, &rank::kTask,  &factors::kTask,
      &topics::kTask, &hmm::kTask,      &bayes::kTask};
  return kTasks;
}

const frame::Task& task(std::string_view name) {
  std::vector<std::string_view> names;
  for (const frame::Task* one : tasks()) names.push_back(one->name);
  return *tasks()[find_name("task", names, name)];
}

}  // namespace trellis
