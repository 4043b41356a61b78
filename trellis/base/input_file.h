// Reading text line by line from a file or from standard input, plain, gzip or zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// A text source that is read once, front to back, in constant memory (a line at a time).
// Compression is recognised by the first bytes, so a misnamed file is read all the same.
// A line ends at LF or CRLF; the terminator is not part of it, and a UTF-8 byte order mark at the
// start is not part of the first. A line is handed out as soon as it is complete. Throws InputError
// when the file cannot be opened, a read fails, compressed data is damaged or truncated, or a line
// exceeds kMaxLine bytes.
class InputFile {
 public:
  static constexpr Index kMaxLine = Index{1} << 26;

  explicit InputFile(const std::string& path);  // "-" is standard input
  // The bytes must outlive the object; `name` stands in messages.
  static InputFile from_bytes(std::string_view bytes, std::string name);
  ~InputFile();
  InputFile(InputFile&&) noexcept;
  InputFile& operator=(InputFile&&) noexcept;

  // The next line, or false at the end. The view lives until the next call.
  bool read_line(std::string_view& line);

  const std::string& name() const;  // the path, or "<stdin>"
  Index line_number() const;        // of the line last returned, from 1

 private:
  class Source;
  explicit InputFile(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

// Throws InputError where a file or folder could not be read later: a name that is mistyped is told
// before the others are worked on. Nothing is opened, for a pipe can be opened only once; "-" and
// no path are no complaint.
void require_readable(const std::string& path);
void require_readable(const std::vector<std::string>& paths);

// All bytes of the file, decompressed and otherwise as they are; refused above `max_bytes`.
std::string read_file(const std::string& path, Index max_bytes = Index{1} << 40);

}  // namespace trellis
