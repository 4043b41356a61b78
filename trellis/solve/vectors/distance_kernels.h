// Squared distances of a few points to a long row of others, in tiles of sixteen.
//
//   out[q][j] = Σ_k (x_qk − y_jk)²,   added in the order of k
//
// Coordinate k of point 16 t + l of a row lies at tiles[(t · dimensions + k) · 16 + l]: the points
// of a tile fill the lanes of vector registers, so bits depend neither on their width nor on the
// other points. Differences are squared directly, without ‖x‖² + ‖y‖² − 2 x·y: so the distances of
// close points are accurate.
#pragma once

#include <array>

#include "trellis/base/types.h"

namespace trellis {

inline constexpr Index kTileWidth = 16;
inline constexpr Index kTileQueries = 4;

// out has kTileQueries rows of num_tiles · kTileWidth values.
void squared_distances(const std::array<const float*, kTileQueries>& queries, Index dimensions,
                       const float* tiles, Index num_tiles, float* out);

}  // namespace trellis
