#include "trellis/tasks/tasks.h"

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <set>
#include <string>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Calls `visit` for each command of each task, with its name as users write it.
void for_each_command(const std::function<void(const std::string&, frame::Command&)>& visit) {
  for (const frame::Task& task : tasks()) {
    frame::Command commands(std::string(task.name), std::string(task.description));
    task.add(commands);
    for (frame::Command& command : commands.commands()) {
      visit(std::string(task.name) + " " + command.name(), command);
    }
  }
}

TEST(Tasks, AreFoundByName) {
  EXPECT_EQ(tasks().size(), 13U);
  for (const frame::Task& one : tasks()) EXPECT_EQ(&task(one.name), &one);
  EXPECT_THROW(task("tags"), UsageError);
}

TEST(Tasks, EachOptionHasItsOwnNameAndHelp) {
  const std::regex name("[a-z0-9]+(-[a-z0-9]+)*");  // with '_' for '-', a name in Python
  for_each_command([&](const std::string& call, const frame::Command& command) {
    std::set<std::string> names;
    for (const frame::Option& option : command.options()) {
      EXPECT_TRUE(names.insert(option.name()).second) << call << " " << option.name();
      EXPECT_TRUE(std::regex_match(option.name(), name)) << call << " " << option.name();
      EXPECT_FALSE(option.facts().help.empty()) << call << " " << option.name();
      EXPECT_FALSE(option.given()) << call << " " << option.name();
    }
  });
}

// A rule about an option that the command does not have would be found only by the user who breaks
// it.
TEST(Tasks, RulesAreAboutOptionsAndValuesThatExist) {
  for_each_command([&](const std::string& call, const frame::Command& command) {
    for (const frame::Option& option : command.options()) {
      for (const frame::Option::Rule& rule : option.facts().rules) {
        ASSERT_NO_THROW(command.at(rule.other)) << call << " " << option.name();
        const std::vector<std::string>& words = command.at(rule.other).facts().words;
        for (const std::string& value : rule.values) {
          const bool known = words.empty() || std::count(words.begin(), words.end(), value) == 1;
          EXPECT_TRUE(known) << call << " " << option.name() << " " << value;
        }
      }
    }
  });
}

}  // namespace
}  // namespace trellis
