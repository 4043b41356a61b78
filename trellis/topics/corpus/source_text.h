// What readers of a corpus ask of their files: UTF-8, and a line to look at before it is read.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::topics {

// Throws InputError about that line, or about the one of a text of several lines, of which `line`
// is the first.
void require_utf8(std::string_view text, const std::string& file, Index line);

// The lines of a file, of which the next can be seen before it is read.
class SourceLines {
 public:
  explicit SourceLines(InputFile file) : file_(std::move(file)) {}

  // The next line, or false at the end. The view is valid until the next read().
  bool peek(std::string_view& line) {
    if (!held_) more_ = file_.read_line(line_);
    held_ = true;
    line = line_;
    return more_;
  }
  bool read(std::string_view& line) {
    const bool more = peek(line);
    held_ = !more;
    return more;
  }

  // The next line that is not blank. Throws InputError where a blank one has another behind it.
  bool read_row(std::string_view& line);

  const std::string& name() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }  // of the line last seen or read

 private:
  InputFile file_;
  std::string_view line_;
  bool held_ = false;
  bool more_ = true;
};

}  // namespace trellis::topics
