// A read-only view of a whole file, memory-mapped.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace trellis {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // throws InputError
  ~MappedFile();
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace trellis
