// Memory for tables that are read here and there: in huge pages where the system has them, so that
// a read of a table of many megabytes does not wait for its address to be looked up as well.
#pragma once

#include <type_traits>

#include "trellis/base/types.h"

namespace trellis {

// Zeros at first. Throws std::bad_alloc.
class HugePages {
 public:
  explicit HugePages(Index num_bytes);
  ~HugePages();
  HugePages(const HugePages&) = delete;
  HugePages& operator=(const HugePages&) = delete;

  // Aligned for any T.
  template <class T>
  T* as() {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(first_);
  }

 private:
  void* mapped_;
  Index size_;   // of what is mapped
  void* first_;  // in it, where a huge page begins
};

}  // namespace trellis
