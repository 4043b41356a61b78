// What the program says besides its results: notes and progress, on standard error. Progress is for
// a terminal only; it never reaches a pipe or a log file.
#pragma once

#include <string>
#include <string_view>

namespace trellis::cli {

class Console {
 public:
  explicit Console(bool quiet);
  ~Console();

  void note(std::string_view message);      // a line, unless quiet
  void warn(std::string_view message);      // a line, always
  void progress(std::string_view message);  // replaces the line of progress before it
  void clear_progress();
  bool shows_progress() const { return progress_; }

 private:
  bool quiet_;
  bool progress_;         // standard error is a terminal
  bool pending_ = false;  // a line of progress stands there
};

// Writes to standard output and throws InputError when that fails (a full disk, a closed pipe).
void print(std::string_view text);

}  // namespace trellis::cli
