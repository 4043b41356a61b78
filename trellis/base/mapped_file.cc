#include "trellis/base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/file_descriptor.h"

namespace trellis {

MappedFile::MappedFile(const std::string& path) {
  const FileDescriptor file = FileDescriptor::open_for_reading(path);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) throw_system_error(path, "cannot open", errno);
  if (!S_ISREG(status.st_mode)) throw InputError(path, 0, "expected a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // mmap refuses empty ranges
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) throw_system_error(path, "cannot map into memory", errno);
  data_ = static_cast<const std::byte*>(address);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace trellis
