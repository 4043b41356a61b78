// Whoever runs a command and hears what it reports while it works: the command line prints it,
// Python makes warnings and a log of it.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::frame {

class Session {
 public:
  virtual ~Session() = default;
  virtual void note(std::string_view message) = 0;
  virtual void warn(std::string_view message) = 0;
  virtual void progress(std::string_view message) = 0;  // replaces the last one
  // From now on an interruption asks the work to end cleanly by this token.
  virtual std::stop_token stop() = 0;
  // No notes and no progress from now on.
  virtual void be_quiet() = 0;

  void warn_all(const std::vector<std::string>& messages) {
    for (const std::string& message : messages) warn(message);
  }
};

}  // namespace trellis::frame
