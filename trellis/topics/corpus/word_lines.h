// The lines of a file about words: edges, entries of a dictionary, features. Plain, gzip or zstd.
#pragma once

#include <string_view>
#include <utility>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"

namespace trellis::topics {

class WordLines {
 public:
  explicit WordLines(InputFile file) : file_(std::move(file)) {}

  // The next line that is neither blank nor a comment: a comment begins with '#' and has no tab,
  // whereas "#topic <TAB> subject" describes a word. False at the end. The view is valid until the
  // next call. Throws InputError if the line is not UTF-8.
  bool read(std::string_view& line);
  Index num_read() const { return num_read_; }

  // Throws InputError about the line last read.
  [[noreturn]] void refuse(std::string_view message, std::string_view token) const;

 private:
  InputFile file_;
  Index num_read_ = 0;
};

}  // namespace trellis::topics
