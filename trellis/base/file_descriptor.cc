#include "trellis/base/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Linux transfers at most 2 GiB − 4 KiB in one call.
constexpr Index kMaxTransfer = Index{1} << 30;

}  // namespace

void throw_system_error(std::string_view file, std::string_view what, int error_number) {
  throw InputError(file, 0,
                   std::string(what) + ": " + std::generic_category().message(error_number));
}

FileDescriptor::~FileDescriptor() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      owned_(other.owned_),
      name_(std::move(other.name_)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(owned_, other.owned_);
  std::swap(name_, other.name_);
  return *this;
}

FileDescriptor FileDescriptor::open_for_reading(const std::string& path) {
  int descriptor;
  do {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) throw_system_error(path, "cannot open", errno);
  FileDescriptor file(descriptor, path);
  struct stat status;
  if (::fstat(descriptor, &status) != 0) throw_system_error(path, "cannot open", errno);
  if (S_ISDIR(status.st_mode)) throw_system_error(path, "cannot read", EISDIR);
  return file;
}

Index FileDescriptor::read_some(std::span<char> into) const {
  while (true) {
    const ssize_t got = ::read(descriptor_, into.data(), std::min(into.size(), kMaxTransfer));
    if (got >= 0) return static_cast<Index>(got);
    if (errno != EINTR) throw_system_error(name_, "cannot read", errno);
  }
}

void FileDescriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMaxTransfer));
    if (put >= 0) {
      bytes.remove_prefix(static_cast<Index>(put));
    } else if (errno != EINTR) {
      throw_system_error(name_, "cannot write", errno);
    }
  }
}

void FileDescriptor::sync() const {
  while (::fsync(descriptor_) != 0) {
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
    if (errno != EINTR) throw_system_error(name_, "cannot write", errno);
  }
}

void FileDescriptor::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  // After EINTR Linux has closed the descriptor; a second close could hit another file's.
  if (owned_ && descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR) {
    throw_system_error(name_, "cannot write", errno);
  }
}

}  // namespace trellis
