#include "trellis/tasks/tag/templates/text_hash.h"

#include <algorithm>
#include <array>

namespace trellis::tag {
namespace {

using text_hash_detail::Product;
using text_hash_detail::reduce;

constexpr std::uint64_t kBase = 0x1d8af066e9cdd5b7;
constexpr Index kBlock = 64;

constexpr std::array<std::uint64_t, kBlock + 1> make_powers() {
  std::array<std::uint64_t, kBlock + 1> powers{};
  powers[0] = 1;
  for (Index i = 1; i <= kBlock; ++i) {
    powers[i] = reduce(static_cast<Product>(powers[i - 1]) * kBase);
  }
  return powers;
}

constexpr std::array<std::uint64_t, kBlock + 1> kPowers = make_powers();

// For a short text the terms are independent, with a single reduction at the end, of a sum below 64
// · 2⁸ · 2⁶¹.
TextHash hash_block(const char* text, Index size) {
  Product sum = 0;
  for (Index i = 0; i < size; ++i) {
    const std::uint64_t digit = std::uint64_t{static_cast<unsigned char>(text[i])} + 1;
    sum += static_cast<Product>(digit) * kPowers[size - 1 - i];
  }
  return {reduce(sum), kPowers[size]};
}

}  // namespace

TextHash hash_text(std::string_view text) {
  TextHash all = hash_block(text.data(), std::min(text.size(), kBlock));
  for (Index begin = kBlock; begin < text.size(); begin += kBlock) {
    const TextHash block = hash_block(text.data() + begin, std::min(text.size() - begin, kBlock));
    all.hash = append_text(all.hash, block);
    all.power = append_text(all.power, {0, block.power});
  }
  return all;
}

}  // namespace trellis::tag
