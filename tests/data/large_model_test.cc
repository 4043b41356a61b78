// Sizes and offsets beyond 32 bits, without the memory or the disk for them: the section is a
// mapping of zeros that are never stored, and so is the file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/byte_stream.h"
#include "trellis/data/model_file.h"

namespace trellis {
namespace {

using testing::TemporaryDirectory;

constexpr Index kSize = (Index{1} << 32) + 4096;

class ZeroPages {
 public:
  explicit ZeroPages(Index size) : size_(size) {
    address_ = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (exists()) ::madvise(address_, size, MADV_HUGEPAGE);  // a thousandth of the page faults
  }
  ~ZeroPages() {
    if (address_ != MAP_FAILED) ::munmap(address_, size_);
  }
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;

  bool exists() const { return address_ != MAP_FAILED; }
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(address_), size_}; }

 private:
  Index size_;
  void* address_;
};

// Writes what is not zero, and leaves holes for the rest.
void unpack_sparsely(const std::string& from, const std::string& to) {
  const std::unique_ptr<ByteStream> stream = open_byte_stream(from);
  const int file = ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ASSERT_GE(file, 0);
  std::vector<char> buffer(Index{1} << 20);
  const std::vector<char> zeros(buffer.size());
  off_t offset = 0;
  while (const Index got = stream->read(buffer)) {
    if (std::memcmp(buffer.data(), zeros.data(), got) != 0) {
      ASSERT_EQ(::pwrite(file, buffer.data(), got, offset), static_cast<ssize_t>(got));
    }
    offset += static_cast<off_t>(got);
  }
  ASSERT_EQ(::ftruncate(file, offset), 0);
  ::close(file);
}

TEST(LargeModel, SectionsBeyondFourGigabytesSurvive) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "takes minutes under a sanitizer";
#endif
  const ZeroPages section(kSize);
  if (!section.exists()) GTEST_SKIP() << "not enough address space";
  section.bytes().back() = std::byte{42};
  const TemporaryDirectory directory;
  ModelWriter writer("large", 1);
  writer.add("zeros", section.bytes());
  writer.add_text("behind", "text");
  writer.write(directory.file("model.zst"));
  unpack_sparsely(directory.file("model.zst"), directory.file("model"));

  const ModelReader model = ModelReader::open(directory.file("model"));
  const std::span<const std::byte> zeros = model.section("zeros");
  ASSERT_EQ(zeros.size(), kSize);
  EXPECT_EQ(zeros.back(), std::byte{42});
  EXPECT_EQ(model.text("behind"), "text");
}

}  // namespace
}  // namespace trellis
