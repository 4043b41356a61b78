#include "trellis/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include "trellis/base/byte_sink.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/base/text.h"

namespace trellis {
namespace {

constexpr Index kTextBuffer = Index{1} << 16;

// N of /dev/fd/N and /proc/self/fd/N: a new open() of such a path would lose the file position that
// the shell's redirection keeps.
std::optional<int> inherited_descriptor(std::string_view path) {
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::optional<long long> number = parse_integer(path.substr(folder.size()));
    if (number && *number >= 0 && *number <= 1 << 20) return static_cast<int>(*number);
  }
  return std::nullopt;
}

// The final target of the bytes: `path` with the links of its last component resolved. The target
// of the last link need not exist.
std::string follow_links(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as the kernel
  std::filesystem::path target = path;
  std::error_code error;
  for (int i = 0; i < kMaxLinks; ++i) {
    if (inherited_descriptor(target.native())) return target.native();
    const std::filesystem::path link = std::filesystem::read_symlink(target, error);
    if (error) return target.native();
    target = target.parent_path() / link;  // an absolute link replaces the whole
  }
  throw_system_error(path, "cannot write", ELOOP);
}

std::string directory_of(const std::string& path) {
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  return directory.empty() ? "." : directory.native();
}

// A name that no other thread, process or earlier crash has used here.
std::string temporary_name(const std::string& target, int attempt) {
  static std::atomic<std::uint64_t> serial{0};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  Random random(static_cast<std::uint64_t>(now.tv_nsec) ^ static_cast<std::uint64_t>(now.tv_sec),
                static_cast<std::uint64_t>(::getpid()) << 32 | serial.fetch_add(1),
                static_cast<std::uint64_t>(attempt));
  constexpr Index kLongestStem = 200;  // a file name has at most 255 bytes
  const std::string stem = std::filesystem::path(target).filename().native();
  char suffix[24];
  std::snprintf(suffix, sizeof suffix, ".tmp-%012llx",
                static_cast<unsigned long long>(random.next() >> 16));
  return directory_of(target) + "/." + stem.substr(0, kLongestStem) + suffix;
}

}  // namespace

class AtomicFile::Sink {
 public:
  explicit Sink(std::string path) : path_(std::move(path)), target_(follow_links(path_)) {
    if (!open_directly()) open_temporary();
    bytes_ = open_byte_sink(file_, path_);
  }
  ~Sink() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void write(std::string_view bytes) {
    assert(bytes_ != nullptr && "write() after commit()");
    bytes_->write(bytes);
  }

  void commit() {
    assert(bytes_ != nullptr && "commit() after commit()");
    bytes_->finish();
    bytes_.reset();
    file_.sync();
    file_.close();
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
      throw_system_error(path_, "cannot write", errno);
    }
    temporary_.clear();
    sync_directory();
  }

 private:
  // True if the target exists and a rename must not replace it.
  bool open_directly() {
    if (const std::optional<int> inherited = inherited_descriptor(target_)) {
      file_ = FileDescriptor(check(::fcntl(*inherited, F_DUPFD_CLOEXEC, 0)), path_);
      return true;
    }
    if (::stat(target_.c_str(), &existing_) != 0) return false;
    exists_ = true;
    if (S_ISDIR(existing_.st_mode)) throw_system_error(path_, "cannot write", EISDIR);
    if (S_ISREG(existing_.st_mode)) return false;
    file_ = FileDescriptor(check(::open(target_.c_str(), O_WRONLY | O_CLOEXEC)), path_);
    return true;
  }

  void open_temporary() {
    // A rename would ignore the permissions of the file that it replaces.
    if (exists_) check(::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS));
    constexpr int kAttempts = 100;
    for (int attempt = 0;; ++attempt) {
      const std::string name = temporary_name(target_, attempt);
      const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor < 0 && errno == EEXIST && attempt < kAttempts) continue;
      file_ = FileDescriptor(check(descriptor), path_);
      temporary_ = name;
      break;
    }
    if (exists_) keep_permissions();
  }

  void keep_permissions() {
    struct stat mine;
    check(::fstat(file_.get(), &mine));
    if (mine.st_uid != existing_.st_uid || mine.st_gid != existing_.st_gid) {
      // Only root may change the owner; other users own the new file, as after any rename.
      static_cast<void>(!::fchown(file_.get(), existing_.st_uid, existing_.st_gid));
    }
    check(::fchmod(file_.get(), existing_.st_mode & 0777));
  }

  void sync_directory() {
    const std::string directory = directory_of(target_);
    const FileDescriptor handle(
        check(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), path_);
    handle.sync();
  }

  int check(int result) const {
    if (result < 0) throw_system_error(path_, "cannot write", errno);
    return result;
  }

  std::string path_;       // as the caller wrote it, for messages
  std::string target_;     // the file to replace
  std::string temporary_;  // empty: writing directly, or renamed already
  struct stat existing_ {};
  bool exists_ = false;
  FileDescriptor file_;
  std::unique_ptr<ByteSink> bytes_;
};

AtomicFile::AtomicFile(std::string path) : sink_(std::make_unique<Sink>(std::move(path))) {}
AtomicFile::~AtomicFile() = default;
void AtomicFile::write(std::string_view bytes) {
  sink_->write(bytes);
}
void AtomicFile::commit() {
  sink_->commit();
}

void require_writable(const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    return;
  }
  const AtomicFile trial(path);
}

OutputFile::OutputFile(const std::string& path, bool at_once) : at_once_(at_once) {
  if (path.empty() || path == "-") {
    stdout_ = FileDescriptor(STDOUT_FILENO, "<stdout>", /*owned=*/false);
    buffer_.reserve(kTextBuffer);
  } else {
    file_ = std::make_unique<AtomicFile>(path);
  }
}

OutputFile::~OutputFile() {
  try {
    if (file_ == nullptr) flush();
  } catch (const InputError&) {
    // A destructor cannot report a failure; a caller that needs the result calls commit().
  }
}

void OutputFile::write(std::string_view bytes) {
  if (file_ != nullptr) return file_->write(bytes);
  if (buffer_.size() + bytes.size() > kTextBuffer) flush();
  buffer_ += bytes;
  if (at_once_) flush();
}

void OutputFile::flush() {
  if (file_ != nullptr) return;  // a file is seen when it is complete
  // Emptied first, so that a failure does not write the same bytes again.
  const std::string pending = std::exchange(buffer_, {});
  stdout_.write_all(pending);
  buffer_.reserve(kTextBuffer);
}

void OutputFile::commit() {
  file_ != nullptr ? file_->commit() : flush();
}

}  // namespace trellis
