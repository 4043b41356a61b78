// A hash of text that can be computed from the hashes of its pieces. The fingerprint of an
// attribute then depends only on its text, and is computed without that text.
//
// With p = 2⁶¹ − 1 (prime) and a fixed base b, a primitive root of p, the bytes c_1 … c_n have
//
//     hash(c) = Σ_i (c_i + 1) · b^(n−i)  mod p        (Karp & Rabin 1987)
//
// hence hash(xy) = hash(x) · b^|y| + hash(y): a piece is represented by the pair (hash, b^length).
// Two texts of at most n bytes collide for at most n of the p − 1 bases. The final mix spreads the
// 61 bits over all 64 and is a bijection. Depends only on the bytes: the same on every platform.
//
// That attributes are identified by their texts has consequences for users: the template `chunk`
// and an item file of CRFsuite's script ("w[0]=the") give the same model, and a warm start works
// with a different template that shares attributes with the old one.
#pragma once

#include <cstdint>
#include <string_view>

#include "trellis/base/types.h"

namespace trellis::tag {

struct TextHash {
  std::uint64_t hash = 0;   // < p
  std::uint64_t power = 1;  // b^length; 0 marks a missing text

  static constexpr TextHash none() { return {0, 0}; }
  bool present() const { return power != 0; }
  bool operator==(const TextHash&) const = default;
};

TextHash hash_text(std::string_view text);

namespace text_hash_detail {

// NOLINTNEXTLINE(modernize-use-using): which knows no __extension__
__extension__ typedef unsigned __int128 Product;
inline constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;

// x mod p for x < p², by 2⁶¹ ≡ 1.
constexpr std::uint64_t reduce(Product x) {
  const std::uint64_t sum =
      static_cast<std::uint64_t>(x & kPrime) + static_cast<std::uint64_t>(x >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

}  // namespace text_hash_detail

// hash(xy) from hash(x) and the pair of y, which must be present.
inline std::uint64_t append_text(std::uint64_t x, const TextHash& y) {
  using namespace text_hash_detail;
  return reduce(static_cast<Product>(x) * y.power + y.hash);
}

// The fingerprint of an attribute whose text has this hash.
inline std::uint64_t fingerprint_of(std::uint64_t hash) {
  // The output function of splitmix64 (Steele, Lea & Flood 2014): a bijection of 64-bit words.
  hash += 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

inline std::uint64_t attribute_fingerprint(std::string_view text) {
  return fingerprint_of(hash_text(text).hash);
}

}  // namespace trellis::tag
