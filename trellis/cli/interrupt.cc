#include "trellis/cli/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace trellis::cli {
namespace {

// A handler may only write to a pipe; a thread at its other end requests the stop, which takes
// locks.
int wake_pipe[2] = {-1, -1};

void on_signal(int signal) {
  const char byte = static_cast<char>(signal);
  [[maybe_unused]] const auto written = write(wake_pipe[1], &byte, 1);
  // The next one of its kind ends the program as usual.
  std::signal(signal, SIG_DFL);
}

}  // namespace

class InterruptGuard::Watcher {
 public:
  Watcher() {
    if (pipe2(wake_pipe, O_CLOEXEC) != 0) return;
    thread_ = std::thread([this] {
      char byte = 0;
      if (read(wake_pipe[0], &byte, 1) == 1 && byte != 0) source_.request_stop();
    });
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
  }

  ~Watcher() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (!thread_.joinable()) return;
    const char done = 0;
    [[maybe_unused]] const auto written = write(wake_pipe[1], &done, 1);
    thread_.join();
    close(wake_pipe[0]);
    close(wake_pipe[1]);
  }

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread thread_;
};

InterruptGuard::InterruptGuard() : watcher_(std::make_unique<Watcher>()) {}
InterruptGuard::~InterruptGuard() = default;
std::stop_token InterruptGuard::token() const {
  return watcher_->token();
}

}  // namespace trellis::cli
