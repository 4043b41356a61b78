// Reading text line by line from a file or from standard input, plain, gzip or zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// A text source that is read once, from front to back, in constant memory (a line at a time). The
// first bytes show the compression, so the name of the file does not matter. A line ends at LF or
// CRLF and is returned as soon as it is complete, without the terminator; a UTF-8 byte order mark
// at the start of the file is skipped. Throws InputError if the file cannot be opened, a read
// fails, compressed data is damaged or truncated, or a line exceeds kMaxLine bytes.
// exceeds kMaxLine bytes.
class InputFile {
 public:
  static constexpr Index kMaxLine = Index{1} << 26;

  explicit InputFile(const std::string& path);  // "-" is standard input
  // The bytes must outlive the object; messages contain `name`.
  static InputFile from_bytes(std::string_view bytes, std::string name);
  ~InputFile();
  InputFile(InputFile&&) noexcept;
  InputFile& operator=(InputFile&&) noexcept;

  // The next line, or false at the end. The view is valid until the next call.
  bool read_line(std::string_view& line);

  const std::string& name() const;  // the path, or "<stdin>"
  Index line_number() const;        // of the line last returned, from 1

 private:
  class Source;
  explicit InputFile(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

// Throws InputError if the file or directory cannot be read, so that a mistyped name is reported
// before other files are processed. It opens nothing, because a pipe can be opened only once; "-"
// and an empty path are accepted.
void require_readable(const std::string& path);
void require_readable(const std::vector<std::string>& paths);

// All bytes of the file, decompressed but otherwise unchanged; refused above `max_bytes`.
std::string read_file(const std::string& path, Index max_bytes = Index{1} << 40);

}  // namespace trellis
