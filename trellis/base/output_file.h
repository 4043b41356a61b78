// Writing files so that nothing on disk is ever lost or half-written.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trellis/base/file_descriptor.h"

namespace trellis {

// Writes to a temporary file beside `path` and renames it over `path` in commit(), after fsync.
// Without commit() the destructor removes the temporary file and `path` stays as it was.
// A path that ends in .gz or .zst is compressed. Throws InputError (a full disk, no permission).
//
// A symbolic link stays a link: the file that it points to is replaced. A replaced file keeps its
// permissions, and its owner where the system lets us. What is no regular file (/dev/stdout, a
// named pipe) cannot be replaced and is written to directly.
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

// Throws InputError where a file could not be written later: hours of training are not to end with
// a folder that does not exist. What is no regular file (a pipe) is left alone until there is
// something to write; no path is no complaint.
void require_writable(const std::string& path);

// Streaming output: "-" or "" is standard output (flushed by flush(), and at the end); any other
// path goes through AtomicFile. Throws InputError when a write fails (a closed pipe, a full disk).
// Standard output is written past stdio and iostreams. Destruction without commit() leaves a file
// as it was, and tries to write what is left for standard output, where a failure goes unheard.
class OutputFile {
 public:
  // `at_once`: what is written to standard output is seen before the next is.
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
