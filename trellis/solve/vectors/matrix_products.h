// Products of a tall matrix with one vector after another: s = Ψ θ, where Ψ has V rows of D
// features and the pass is repeated hundreds of times (constraint generation over all instances).
//
// Sparse rows are kept sorted by their length, in slices of eight: sparse rows are short, and a
// loop of a length that cannot be foreseen costs as much as its sum. As far as the shortest row of
// a slice goes, their features alternate and fill the lanes of vector registers, one row in each;
// what the others have more follows. Every s_v adds up its features in their order, so its bits
// depend neither on the slices nor on the width of registers. Dense rows are sums of eight lanes,
// as in solve/vectors/vector_kernels.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

struct SparseRow {
  std::span<const std::uint32_t> ids;
  std::span<const float> values;
};

class SlicedRows {
 public:
  // Copies the rows. All ids are below `width`.
  SlicedRows(Index width, std::span<const SparseRow> rows);

  Index num_rows() const { return order_.size(); }
  Index width() const { return width_; }
  void multiply(std::span<const double> theta, std::span<double> s) const;  // s ← Ψ θ

 private:
  Index width_;
  std::vector<std::uint32_t> order_;    // rows, by length
  std::vector<std::uint32_t> lengths_;  // in that order
  std::vector<std::uint32_t> ids_;      // of a slice: what all have, by turns, and then row by row
  std::vector<float> values_;           // alike; empty where all are 1
};

// s_v = Σ_k x_vk θ_k for rows of θ.size() values each.
void multiply_dense(std::span<const float> rows, std::span<const double> theta,
                    std::span<double> s);

}  // namespace trellis
