// Writes files so that nothing on disk is ever lost or half-written.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trellis/base/file_descriptor.h"

namespace trellis {

// Writes to a temporary file in the same directory and renames it to `path` in commit(), after
// fsync. Without commit() the destructor removes the temporary file, and `path` does not change. A
// path that ends in .gz or .zst is compressed. Throws InputError (full disk, no permission).
//
// If `path` is a symbolic link, its target is replaced and the link stays. A replaced file keeps
// its permissions, and its owner if the system allows it. A file that is not regular (/dev/stdout,
// a named pipe) cannot be replaced; the bytes go to it directly.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();  // once; nothing can be written afterwards

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

// Throws InputError if the file cannot be written later, so that hours of training do not fail at a
// directory that does not exist. A file that is not regular (a pipe) is not opened until there is
// something to write; an empty path is accepted.
void require_writable(const std::string& path);

// Streaming output: "-" or "" is standard output (flushed by flush(), and at the end); any other
// path uses AtomicFile. Throws InputError when a write fails (a closed pipe, a full disk). It
// bypasses stdio and iostreams. Destruction without commit() leaves a file unchanged; for standard
// output it tries to write the remaining bytes and does not report a failure.
class OutputFile {
 public:
  // `at_once`: each write reaches standard output immediately.
  explicit OutputFile(const std::string& path, bool at_once = false);
  ~OutputFile();
  void write(std::string_view bytes);
  void flush();
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;  // none: standard output
  bool at_once_;
  FileDescriptor stdout_;
  std::string buffer_;
};

}  // namespace trellis
