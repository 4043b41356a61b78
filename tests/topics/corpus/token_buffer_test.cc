#include "trellis/topics/corpus/token_buffer.h"

#include <gtest/gtest.h>

#include <vector>

#include "trellis/base/random.h"

namespace trellis::topics::token_buffer_test {
namespace {

TEST(TokenBuffer, GivesBackWhatWasPutIn) {
  Random random(3);
  std::vector<std::uint32_t> numbers = {0, 127, 128, 16383, 16384, 1u << 21, 1u << 28, ~0u};
  for (Index i = 0; i < 1500000; ++i) {  // several blocks
    numbers.push_back(static_cast<std::uint32_t>(random.below(1ull << 32) >> random.below(32)));
  }
  TokenBuffer buffer;
  for (const std::uint32_t number : numbers) buffer.push(number);
  EXPECT_EQ(buffer.size(), numbers.size());
  std::vector<std::uint32_t> drained;
  buffer.drain([&](std::uint32_t number) { drained.push_back(number); });
  EXPECT_EQ(drained, numbers);
  EXPECT_EQ(buffer.size(), 0u);
  buffer.push(5);  // and can be filled again
  EXPECT_EQ(buffer.size(), 1u);
}

TEST(TokenBuffer, MayBeEmpty) {
  TokenBuffer buffer;
  Index drained = 0;
  buffer.drain([&](std::uint32_t) { ++drained; });
  EXPECT_EQ(drained, 0);
}

}  // namespace
}  // namespace trellis::topics::token_buffer_test
