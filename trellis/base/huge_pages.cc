#include "trellis/base/huge_pages.h"

#include <sys/mman.h>

#include <memory>
#include <new>

namespace trellis {
namespace {

constexpr Index kHugePage = Index{1} << 21;

}  // namespace

HugePages::HugePages(Index num_bytes) : size_(num_bytes + 2 * kHugePage) {
  if (size_ < num_bytes) throw std::bad_alloc();
  mapped_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) throw std::bad_alloc();
  first_ = mapped_;
  Index space = size_;
  std::align(kHugePage, num_bytes, first_, space);
#ifdef MADV_HUGEPAGE
  // A hint, for the last page as well; without it, pages are as they always are.
  const Index pages = (num_bytes + kHugePage - 1) / kHugePage;
  ::madvise(first_, pages * kHugePage, MADV_HUGEPAGE);
#endif
}

HugePages::~HugePages() {
  ::munmap(mapped_, size_);
}

}  // namespace trellis
