// What the program says besides its results: notes and progress, on standard error. Progress is for
// a terminal only; it never reaches a pipe or a log file.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include "trellis/cli/interrupt.h"
#include "trellis/frame/session.h"

namespace trellis::cli {

class Console final : public frame::Session {
 public:
  Console();
  ~Console() override;

  void note(std::string_view message) override;      // a line, unless quiet
  void warn(std::string_view message) override;      // a line, always
  void progress(std::string_view message) override;  // replaces the line of progress before it
  std::stop_token stop() override;                   // at Ctrl-C
  void be_quiet() override;

 private:
  void clear_progress();

  bool quiet_ = false;
  bool progress_;         // standard error is a terminal
  bool pending_ = false;  // the last line is one of progress
  std::optional<InterruptGuard> guard_;
};

// Writes to standard output and throws InputError when that fails (a full disk, a closed pipe).
void print(std::string_view text);

}  // namespace trellis::cli
