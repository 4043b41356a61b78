// Two edges of a graph that score when an output has both.
#pragma once

#include <compare>
#include <cstdint>

namespace trellis {

struct EdgePair {
  std::uint32_t a;  // a < b
  std::uint32_t b;

  friend auto operator<=>(const EdgePair&, const EdgePair&) = default;
};

}  // namespace trellis
