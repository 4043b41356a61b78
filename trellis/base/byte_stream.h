// Bytes read front to back: from a file or from memory, plain or decompressed on the way.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills the front of `into` (not empty) with what is there, at least one byte; returns how many,
  // and 0 at the end. Does not wait for more than the first byte, so that a pipe can be followed.
  virtual Index read(std::span<char> into) = 0;
};

// gzip (also several members in a row), zstd (also several frames), or neither.
enum class Compression { kNone, kGzip, kZstd };
// By the magic number, for which four bytes suffice.
Compression detect_compression(std::string_view first_bytes);

// The decompressed content; "-" is standard input. Damaged or truncated data are an InputError.
std::unique_ptr<ByteStream> open_byte_stream(const std::string& path);
// The bytes must outlive the stream; `name` stands in messages.
std::unique_ptr<ByteStream> open_byte_stream(std::string_view bytes, std::string name);

}  // namespace trellis
