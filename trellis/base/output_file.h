// Writing files so that nothing on disk is ever lost or half-written.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace trellis {

// Writes to a temporary file beside `path` and renames it over `path` in commit(), after fsync.
// Without commit() the destructor removes the temporary file and `path` stays as it was.
// A path that ends in .gz or .zst is compressed. Throws InputError (a full disk, no permission).
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

// Streaming output: "-" or "" is standard output (flushed by flush(), and at the end); any other
// path goes through AtomicFile. Throws InputError when a write fails (a closed pipe, a full disk).
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  void write(std::string_view bytes);
  void flush();
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;  // none: standard output
  std::string buffer_;
};

}  // namespace trellis
