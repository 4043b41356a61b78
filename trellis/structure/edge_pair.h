// Two edges of a graph that score together: z_ab = z_a z_b.
#pragma once

#include <cstdint>

namespace trellis {

struct EdgePair {
  std::uint32_t a;  // edges by their places, a < b
  std::uint32_t b;

  friend bool operator==(const EdgePair&, const EdgePair&) = default;
};

}  // namespace trellis
