// An edge of an undirected graph whose nodes are 0 … n−1.
#pragma once

#include <cstdint>

namespace trellis {

struct NodePair {
  std::uint32_t j = 0;
  std::uint32_t k = 0;

  friend bool operator==(const NodePair&, const NodePair&) = default;
  friend bool operator<(const NodePair& a, const NodePair& b) {
    return a.j != b.j ? a.j < b.j : a.k < b.k;
  }
};

}  // namespace trellis
