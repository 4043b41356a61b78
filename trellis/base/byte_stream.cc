#include "trellis/base/byte_stream.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/file_descriptor.h"

namespace trellis {
namespace {

constexpr Index kInputBuffer = Index{1} << 18;

class FileStream final : public ByteStream {
 public:
  explicit FileStream(FileDescriptor file) : file_(std::move(file)) {}
  Index read(std::span<char> into) override { return file_.read_some(into); }

 private:
  FileDescriptor file_;
};

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : rest_(bytes) {}
  Index read(std::span<char> into) override {
    const Index size = std::min(into.size(), rest_.size());
    if (size > 0) std::memcpy(into.data(), rest_.data(), size);
    rest_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view rest_;
};

// A stream with a buffer, so that its next bytes can be inspected before they are read.
class Lookahead final : public ByteStream {
 public:
  explicit Lookahead(std::unique_ptr<ByteStream> stream)
      : stream_(std::move(stream)), buffer_(kInputBuffer) {}

  // The buffered bytes; reads until the buffer has `wanted` bytes or the stream ends.
  std::string_view peek(Index wanted) {
    if (begin_ == end_) begin_ = end_ = 0;
    while (end_ - begin_ < wanted && !at_end_) {
      if (end_ == buffer_.size()) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= std::exchange(begin_, 0);
      }
      const Index got = stream_->read(std::span(buffer_).subspan(end_));
      end_ += got;
      at_end_ = got == 0;
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void consume(Index size) { begin_ += size; }

  Index read(std::span<char> into) override {
    // Peeked bytes go first; after that the stream fills the caller's memory directly.
    if (begin_ == end_) return at_end_ ? 0 : stream_->read(into);
    const Index size = std::min(into.size(), end_ - begin_);
    std::memcpy(into.data(), buffer_.data() + begin_, size);
    begin_ += size;
    return size;
  }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::vector<char> buffer_;
  Index begin_ = 0, end_ = 0;
  bool at_end_ = false;
};

class GzipStream final : public ByteStream {
 public:
  GzipStream(std::unique_ptr<Lookahead> input, std::string name)
      : input_(std::move(input)), name_(std::move(name)) {
    constexpr int kGzipOnly = 15 + 16;
    if (inflateInit2(&state_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override { inflateEnd(&state_); }

  Index read(std::span<char> into) override {
    while (!at_end_) {
      if (between_members_ && !start_member()) break;
      const Index written = inflate_some(into);
      if (written > 0) return written;
    }
    return 0;
  }

 private:
  // RFC 1952: a file is a series of members; zeros that gzip(1) and tapes append are padding.
  bool start_member() {
    const std::string_view next = input_->peek(2);
    if (detect_compression(next) != Compression::kGzip) {
      skip_padding();
      at_end_ = true;
      return false;
    }
    inflateReset(&state_);
    between_members_ = false;
    return true;
  }

  void skip_padding() {
    for (std::string_view rest = input_->peek(1); !rest.empty(); rest = input_->peek(1)) {
      if (rest.find_first_not_of('\0') != std::string_view::npos) {
        throw InputError(name_, 0, "expected the end of the file after the gzip data");
      }
      input_->consume(rest.size());
    }
  }

  Index inflate_some(std::span<char> into) {
    const std::string_view available = input_->peek(1);
    if (available.empty()) throw InputError(name_, 0, "the gzip data are truncated");
    const Index room = std::min<Index>(into.size(), std::numeric_limits<uInt>::max());
    // zlib's interface lacks const; it does not write to its input.
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(available.data()));
    state_.avail_in = static_cast<uInt>(available.size());
    state_.next_out = reinterpret_cast<Bytef*>(into.data());
    state_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&state_, Z_NO_FLUSH);
    input_->consume(available.size() - state_.avail_in);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      throw InputError(name_, 0, "the gzip data are damaged");
    }
    between_members_ = status == Z_STREAM_END;
    return room - state_.avail_out;
  }

  std::unique_ptr<Lookahead> input_;
  std::string name_;
  z_stream state_{};
  bool between_members_ = true;
  bool at_end_ = false;
};

class ZstdStream final : public ByteStream {
 public:
  ZstdStream(std::unique_ptr<Lookahead> input, std::string name)
      : input_(std::move(input)), name_(std::move(name)), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }

  Index read(std::span<char> into) override {
    while (true) {
      const std::string_view available = input_->peek(1);
      // A frame may end its input before all its output is taken; then call once more.
      if (available.empty() && frame_complete_) return 0;
      ZSTD_inBuffer in{available.data(), available.size(), 0};
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const Index status = ZSTD_decompressStream(state_, &out, &in);
      if (ZSTD_isError(status)) throw InputError(name_, 0, "the zstd data are damaged");
      input_->consume(in.pos);
      frame_complete_ = status == 0;
      if (out.pos > 0) return out.pos;
      if (available.empty() && !frame_complete_) {
        throw InputError(name_, 0, "the zstd data are truncated");
      }
    }
  }

 private:
  std::unique_ptr<Lookahead> input_;
  std::string name_;
  ZSTD_DStream* state_;
  bool frame_complete_ = false;
};

struct Magic {
  Compression compression;
  std::string_view bytes;
  unsigned char mask;  // which bits of the first byte count
};
constexpr Magic kMagics[] = {
    {Compression::kGzip, "\x1F\x8B", 0xFF},
    {Compression::kZstd, "\x28\xB5\x2F\xFD", 0xFF},
    // RFC 8878 sec. 3.1.2: a file may begin with a skippable frame (pzstd writes them).
    {Compression::kZstd, "\x50\x2A\x4D\x18", 0xF0},
};

// Compares the bytes that both have.
bool agree(const Magic& magic, std::string_view first_bytes) {
  const Index size = std::min(magic.bytes.size(), first_bytes.size());
  if (size == 0) return true;
  return ((first_bytes[0] ^ magic.bytes[0]) & magic.mask) == 0 &&
         first_bytes.substr(1, size - 1) == magic.bytes.substr(1, size - 1);
}

// Whether these bytes and some more could begin compressed data.
bool is_undecided(std::string_view first_bytes) {
  return std::any_of(std::begin(kMagics), std::end(kMagics), [&](const Magic& magic) {
    return first_bytes.size() < magic.bytes.size() && agree(magic, first_bytes);
  });
}

// Reads no more bytes than necessary: a user at a terminal expects an answer to the first line.
Compression peek_compression(Lookahead& input) {
  std::string_view front = input.peek(1);
  while (is_undecided(front)) {
    const Index seen = front.size();
    front = input.peek(seen + 1);
    if (front.size() == seen) break;
  }
  return detect_compression(front);
}

std::unique_ptr<ByteStream> decompressed(std::unique_ptr<ByteStream> raw, std::string name) {
  auto input = std::make_unique<Lookahead>(std::move(raw));
  switch (peek_compression(*input)) {
    case Compression::kGzip:
      return std::make_unique<GzipStream>(std::move(input), std::move(name));
    case Compression::kZstd:
      return std::make_unique<ZstdStream>(std::move(input), std::move(name));
    case Compression::kNone:
      break;
  }
  return input;
}

}  // namespace

Compression detect_compression(std::string_view first_bytes) {
  for (const Magic& magic : kMagics) {
    if (first_bytes.size() >= magic.bytes.size() && agree(magic, first_bytes)) {
      return magic.compression;
    }
  }
  return Compression::kNone;
}

std::unique_ptr<ByteStream> open_byte_stream(const std::string& path) {
  if (path == "-") {
    FileDescriptor input(STDIN_FILENO, "<stdin>", /*owned=*/false);
    return decompressed(std::make_unique<FileStream>(std::move(input)), "<stdin>");
  }
  FileDescriptor file = FileDescriptor::open_for_reading(path);
  // Only a hint: a pipe ignores it.
  static_cast<void>(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL));
  return decompressed(std::make_unique<FileStream>(std::move(file)), path);
}

std::unique_ptr<ByteStream> open_byte_stream(std::string_view bytes, std::string name) {
  return decompressed(std::make_unique<MemoryStream>(bytes), std::move(name));
}

}  // namespace trellis
