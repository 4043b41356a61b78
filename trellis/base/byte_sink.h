// Bytes written front to back to a file, plain or compressed on the way.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trellis/base/file_descriptor.h"

namespace trellis {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  // Everything written so far reaches the operating system. Once, at the end.
  virtual void finish() = 0;
};

// Compresses if `path` ends in .gz or .zst. `file` must outlive the sink. The same bytes in give
// the same bytes out: no time stamp, no file name.
std::unique_ptr<ByteSink> open_byte_sink(const FileDescriptor& file, std::string_view path);

}  // namespace trellis
