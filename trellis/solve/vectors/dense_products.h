// Products of dense matrices, and solutions with a triangle, with the same bits on every machine.
//
//   add_product              C += sign · A B
//   add_product_transposed   C += sign · A Bᵀ
//   solve_rows               X ← X L⁻ᵀ:  X Lᵀ is what X was       L lower triangular, its
//   solve_columns            X ← L⁻ᵀ X:  Lᵀ X is what X was       diagonal not 0
//
// Each entry of a product adds up stretches of kProductDepth terms, each in their order from 0 on,
// and the stretches in their order to C. Eight columns fill the lanes of vector registers, so bits
// depend neither on their width, nor on the processor's caches, nor on the other rows and columns.
// O(rows · depth · columns), and half of that for a triangle.
#pragma once

#include "trellis/base/types.h"

namespace trellis {

inline constexpr Index kProductDepth = 256;

// A matrix by its rows, `stride` apart.
struct ConstMatrix {
  const double* data;
  Index stride;
};
struct MutableMatrix {
  double* data;
  Index stride;
};

// A is rows × depth, C rows × columns; B is depth × columns, or columns × depth where transposed.
struct ProductSize {
  Index rows;
  Index depth;
  Index columns;
};
// C shares no entry with A and B.
void add_product(const ProductSize& size, double sign, ConstMatrix a, ConstMatrix b,
                 MutableMatrix c);
void add_product_transposed(const ProductSize& size, double sign, ConstMatrix a, ConstMatrix b,
                            MutableMatrix c);

// L is rank × rank, and what is above its diagonal is not read. X is rows × rank.
void solve_rows(ConstMatrix l, Index rank, MutableMatrix x, Index rows);
// X is rank × columns.
void solve_columns(ConstMatrix l, Index rank, MutableMatrix x, Index columns);

}  // namespace trellis
