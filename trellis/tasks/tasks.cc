#include "trellis/tasks/tasks.h"

#include <array>
#include <vector>

#include "trellis/base/names.h"

namespace trellis {

std::span<const frame::Task> tasks() {
  static const std::array all = {tag::task(),   classify::task(), segment::task(), label::task(),
                                 match::task(), align::task(),    parse::task(),   grammar::task(),
                                 rank::task(),  factors::task(),  topics::task(),  hmm::task(),
                                 bayes::task()};
  return all;
}

const frame::Task& task(std::string_view name) {
  std::vector<std::string_view> names;
  for (const frame::Task& one : tasks()) names.push_back(one.name);
  return tasks()[find_name("task", names, name)];
}

}  // namespace trellis
