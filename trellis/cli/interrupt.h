// Ctrl-C as a stop request: the first one asks the work to end cleanly, a second one ends the
// program.
#pragma once

#include <memory>
#include <stop_token>

namespace trellis::cli {

// Installs handlers for SIGINT and SIGTERM while it lives. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  std::stop_token token() const;

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace trellis::cli
