// The share of a part in a whole, in the order of operations of the official scorers.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

// part / whole; `of_nothing` if the whole is 0.
inline double share(Index part, Index whole, double of_nothing = 0) {
  return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
}

// 100 · part / whole; `of_nothing` if the whole is 0.
inline double percent(Index part, Index whole, double of_nothing = 0) {
  return whole == 0 ? of_nothing : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace trellis
