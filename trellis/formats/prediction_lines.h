// Reads the lines of a file of predictions, next to the file with the truth. Every error message
// names the file and the line. The tasks that write the lines define their formats.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis {

class PredictionLines {
 public:
  explicit PredictionLines(InputFile file) : file_(std::move(file)) {}

  // False at the end. The view is valid until the next call. Throws InputError for invalid UTF-8.
  bool next(std::string_view& line);
  // The next line; throws InputError "expected `what`, found the end …" if there is no line.
  std::string_view need(const std::string& what);
  // Throws InputError if a line follows that is not blank (with `comments`: and does not begin with
  // '#'), because there are no more `things` ("documents").
  void require_end(std::string_view things, bool comments = false);

  // Throws InputError at the line last read.
  [[noreturn]] void refuse(const std::string& complaint, std::string_view token = {}) const;

  const std::string& name() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }

 private:
  InputFile file_;
};

}  // namespace trellis
