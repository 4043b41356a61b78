#include "trellis/base/byte_sink.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

namespace trellis {
namespace {

constexpr Index kOutputBuffer = Index{1} << 18;

class PlainSink final : public ByteSink {
 public:
  explicit PlainSink(const FileDescriptor& file) : file_(file) { buffer_.reserve(kOutputBuffer); }

  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > kOutputBuffer) flush();
    if (bytes.size() > kOutputBuffer) {
      file_.write_all(bytes);
    } else {
      buffer_ += bytes;
    }
  }
  void finish() override { flush(); }

 private:
  void flush() {
    file_.write_all(buffer_);
    buffer_.clear();
  }

  const FileDescriptor& file_;
  std::string buffer_;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(const FileDescriptor& file) : file_(file), buffer_(kOutputBuffer) {
    constexpr int kGzip = 15 + 16, kMemoryLevel = 8;
    if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSink() override { deflateEnd(&state_); }

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const Index size = std::min<Index>(bytes.size(), std::numeric_limits<uInt>::max());
      deflate_all(bytes.substr(0, size), Z_NO_FLUSH);
      bytes.remove_prefix(size);
    }
  }
  void finish() override { deflate_all({}, Z_FINISH); }

 private:
  void deflate_all(std::string_view bytes, int flush) {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state_.avail_in = static_cast<uInt>(bytes.size());
    do {
      state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      state_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&state_, flush);  // cannot fail on a sound state
      file_.write_all({buffer_.data(), buffer_.size() - state_.avail_out});
    } while (state_.avail_out == 0);
  }

  const FileDescriptor& file_;
  std::vector<char> buffer_;
  z_stream state_{};
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(const FileDescriptor& file)
      : file_(file), buffer_(ZSTD_CStreamOutSize()), state_(ZSTD_createCCtx()) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdSink() override { ZSTD_freeCCtx(state_); }

  void write(std::string_view bytes) override { compress(bytes, ZSTD_e_continue); }
  void finish() override { compress({}, ZSTD_e_end); }

 private:
  void compress(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    Index left;
    do {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      left = ZSTD_compressStream2(state_, &out, &in, directive);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // the only failure on a sound state
      file_.write_all({buffer_.data(), out.pos});
    } while (directive == ZSTD_e_end ? left > 0 : in.pos < in.size);
  }

  const FileDescriptor& file_;
  std::vector<char> buffer_;
  ZSTD_CCtx* state_;
};

}  // namespace

std::unique_ptr<ByteSink> open_byte_sink(const FileDescriptor& file, std::string_view path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipSink>(file);
  if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(file);
  return std::make_unique<PlainSink>(file);
}

}  // namespace trellis
