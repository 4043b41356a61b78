// The lines of a file of predictions, read next to the file that has the truth. Every error message
// names the file and the line. The formats of the lines belong to the tasks that write them.
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

  // False at the end. The view lives until the next call. Throws InputError for other than UTF-8.
  bool next(std::string_view& line);
  // The next line; throws InputError where there is none: "expected `what`, found the end …".
  std::string_view need(const std::string& what);
  // Throws InputError where more than blank lines and, with `comments`, lines that begin with '#'
  // follow: there are no more `things` ("documents").
  void require_end(std::string_view things, bool comments = false);

  // At the line last read.
  [[noreturn]] void refuse(const std::string& complaint, std::string_view token = {}) const;

  const std::string& name() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }

 private:
  InputFile file_;
};

}  // namespace trellis
