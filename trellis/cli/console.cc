#include "trellis/cli/console.h"

#include <unistd.h>

#include <cstdio>

#include "trellis/base/output_file.h"

namespace trellis::cli {

Console::Console() : progress_(isatty(STDERR_FILENO) != 0) {}

Console::~Console() {
  clear_progress();
}

void Console::note(std::string_view message) {
  if (!quiet_) warn(message);
}

void Console::warn(std::string_view message) {
  clear_progress();
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
}

void Console::progress(std::string_view message) {
  if (!progress_) return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
  pending_ = true;
}

std::stop_token Console::stop() {
  if (!guard_) guard_.emplace();
  return guard_->token();
}

void Console::be_quiet() {
  quiet_ = true;
  progress_ = false;
}

void Console::clear_progress() {
  if (!pending_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  pending_ = false;
}

void print(std::string_view text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
}

}  // namespace trellis::cli
