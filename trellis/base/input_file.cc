#include "trellis/base/input_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "trellis/base/byte_stream.h"
#include "trellis/base/error.h"
#include "trellis/base/file_descriptor.h"

namespace trellis {
namespace {

constexpr Index kBufferSize = Index{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

// A window [next_, end_) of the text that slides over a buffer; over plain bytes in memory the
// window is the whole, so that lines are views into the caller's bytes.
class InputFile::Source {
 public:
  Source(std::unique_ptr<ByteStream> stream, std::string name)
      : name(std::move(name)), stream_(std::move(stream)), buffer_(kBufferSize) {
    next_ = end_ = buffer_.data();
  }
  Source(std::string_view bytes, std::string name)
      : name(std::move(name)), next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool read_line(std::string_view& line) {
    if (line_number == 0) skip_byte_order_mark();
    Index scanned = 0;
    while (true) {
      const Index available = static_cast<Index>(end_ - next_);
      const void* feed =
          available == scanned ? nullptr : std::memchr(next_ + scanned, '\n', available - scanned);
      if (feed != nullptr) {
        const char* stop = static_cast<const char*>(feed);
        line = without_carriage_return({next_, static_cast<Index>(stop - next_)});
        next_ = stop + 1;
        break;
      }
      // One more for the CR that may turn out to belong to the terminator.
      if (available > kMaxLine + 1) refuse_length();
      scanned = available;
      if (refill()) continue;
      if (available == 0) return false;
      line = {next_, available};
      next_ = end_;
      break;
    }
    ++line_number;
    if (line.size() > kMaxLine) {
      --line_number;
      refuse_length();
    }
    return true;
  }

  std::string name;
  Index line_number = 0;

 private:
  static std::string_view without_carriage_return(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  [[noreturn]] void refuse_length() const {
    throw InputError(name, line_number + 1,
                     "expected a line of at most " + std::to_string(kMaxLine) + " bytes");
  }

  void skip_byte_order_mark() {
    if (std::exchange(begun_, true)) return;
    // Waits for more only while it may still be the mark.
    while (window().size() < kByteOrderMark.size() && kByteOrderMark.starts_with(window())) {
      if (!refill()) return;
    }
    if (window().starts_with(kByteOrderMark)) next_ += kByteOrderMark.size();
  }

  std::string_view window() const { return {next_, static_cast<Index>(end_ - next_)}; }

  // Moves what is left to the front of the buffer and reads behind it; false at the end.
  bool refill() {
    if (stream_ == nullptr) return false;
    const Index left = static_cast<Index>(end_ - next_);
    if (left > 0 && next_ != buffer_.data()) std::memmove(buffer_.data(), next_, left);
    if (left > buffer_.size() / 2) buffer_.resize(2 * buffer_.size());
    const Index got = stream_->read(std::span(buffer_).subspan(left));
    next_ = buffer_.data();
    end_ = next_ + left + got;
    return got > 0;
  }

  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  const char* next_;
  const char* end_;
  bool begun_ = false;
};

InputFile::InputFile(const std::string& path)
    : source_(std::make_unique<Source>(open_byte_stream(path), path == "-" ? "<stdin>" : path)) {}

InputFile::InputFile(std::unique_ptr<Source> source) : source_(std::move(source)) {}

InputFile InputFile::from_bytes(std::string_view bytes, std::string name) {
  if (detect_compression(bytes) == Compression::kNone) {
    return InputFile(std::make_unique<Source>(bytes, std::move(name)));
  }
  auto stream = open_byte_stream(bytes, name);
  return InputFile(std::make_unique<Source>(std::move(stream), std::move(name)));
}

InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&&) noexcept = default;
InputFile& InputFile::operator=(InputFile&&) noexcept = default;

bool InputFile::read_line(std::string_view& line) {
  return source_->read_line(line);
}
const std::string& InputFile::name() const {
  return source_->name;
}
Index InputFile::line_number() const {
  return source_->line_number;
}

void require_readable(const std::string& path) {
  if (path.empty() || path == "-") return;
  if (::access(path.c_str(), R_OK) != 0) throw_system_error(path, "cannot open", errno);
}

void require_readable(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) require_readable(path);
}

std::string read_file(const std::string& path, Index max_bytes) {
  const std::unique_ptr<ByteStream> stream = open_byte_stream(path);
  std::string content;
  Index size = 0;
  while (true) {
    if (size == content.size()) content.resize(std::max(kBufferSize, 2 * size));
    const Index got = stream->read(std::span(content).subspan(size));
    if (got == 0) break;
    size += got;
    if (size > max_bytes) {
      throw InputError(path, 0, "expected at most " + std::to_string(max_bytes) + " bytes");
    }
  }
  content.resize(size);
  content.shrink_to_fit();
  return content;
}

}  // namespace trellis
