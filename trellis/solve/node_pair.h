// An edge of an undirected graph whose nodes are 0 … n−1.
#pragma once

#include <compare>
#include <cstdint>

namespace trellis {

struct NodePair {
  std::uint32_t j = 0;
  std::uint32_t k = 0;

  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

}  // namespace trellis
