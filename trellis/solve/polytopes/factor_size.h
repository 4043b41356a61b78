// How large the triangular factor of a sparse symmetric matrix becomes, before it is made: by the
// elimination tree (Liu 1990) of an approximate minimum degree ordering (Amestoy, Davis & Duff
// 1996). What a direct solver takes for the matrix is about that: 8 bytes for each non-zero, and
// Σ_j c_j² multiplications and additions for columns of c_j non-zeros.
#pragma once

#include <span>
#include <utility>

#include "trellis/base/types.h"

namespace trellis {

struct FactorSize {
  Index nonzeros = 0;     // Σ_j c_j, the diagonal included
  double operations = 0;  // Σ_j c_j²
};

// `entries`: the places (row, column) of the non-zeros on one side of the diagonal, which is full.
// Time and memory are those of the ordering, plus time in the order of the result; ends with what
// it has counted as soon as that is more than `most_nonzeros`.
FactorSize factor_size(Index dimension, std::span<const std::pair<Index, Index>> entries,
                       Index most_nonzeros);

}  // namespace trellis
