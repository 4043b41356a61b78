// Draws from a finite distribution with fixed weights in constant time (Walker 1977; Vose 1991):
// O(n) to build, 8 bytes per outcome.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

struct AliasCell {
  float keep = 1;           // below: the cell's own outcome; from it on, the other
  std::uint32_t other = 0;  // an outcome
};

class AliasBuilder {
 public:
  // Weights are ≥ 0 with a sum > 0; cells has as many. The arithmetic is in a fixed order.
  void build(std::span<const float> weights, std::span<AliasCell> cells);

 private:
  std::vector<float> scaled_;
  std::vector<std::uint32_t> small_, large_;
};

// For two numbers of 32 uniform bits: which cell, and whether it keeps its own outcome.
inline std::uint32_t alias_draw(std::span<const AliasCell> cells, std::uint32_t which,
                                std::uint32_t kept) {
  const auto i = static_cast<std::uint32_t>(std::uint64_t{which} * cells.size() >> 32);
  return static_cast<float>(kept >> 8) * 0x1p-24F < cells[i].keep ? i : cells[i].other;
}

}  // namespace trellis::topics
