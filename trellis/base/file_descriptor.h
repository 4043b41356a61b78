// An open file of the operating system, with its name for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "trellis/base/types.h"

namespace trellis {

// Owns a descriptor, or borrows one (standard input and output). Interrupted calls are repeated;
// every failure is an InputError "name: what failed: why".
class FileDescriptor {
 public:
  FileDescriptor() = default;
  FileDescriptor(int descriptor, std::string name, bool owned = true)
      : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  static FileDescriptor open_for_reading(const std::string& path);  // refuses directories

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  const std::string& name() const { return name_; }

  Index read_some(std::span<char> into) const;  // 0 at the end
  void write_all(std::string_view bytes) const;
  void sync() const;  // fsync; what cannot be synced (a pipe, a terminal) is left alone
  void close();       // reports what close() reports; the destructor does not

 private:
  int descriptor_ = -1;
  bool owned_ = true;
  std::string name_;
};

// Throws InputError "file: what: text of error number".
[[noreturn]] void throw_system_error(std::string_view file, std::string_view what,
                                     int error_number);

}  // namespace trellis
