#include "trellis/base/huge_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <ranges>
#include <span>

namespace trellis {
namespace {

TEST(HugePages, AreZerosThatCanBeWritten) {
  for (const Index size : {Index{0}, Index{1}, Index{1000}, Index{3} << 20}) {
    HugePages pages(size * sizeof(std::uint64_t));
    const std::span<std::uint64_t> numbers(pages.as<std::uint64_t>(), size);
    EXPECT_TRUE(std::ranges::all_of(numbers, [](std::uint64_t n) { return n == 0; }));
    for (Index i = 0; i < size; ++i) numbers[i] = i;
    for (Index i = 0; i < size; i += 999) EXPECT_EQ(numbers[i], i);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64, 0u);
  }
}

TEST(HugePages, MoreThanThereIsIsRefused) {
  const Index most = std::numeric_limits<Index>::max();
  for (const Index size : {most, most / 4}) EXPECT_THROW(HugePages{size}, std::bad_alloc);
}

}  // namespace
}  // namespace trellis
