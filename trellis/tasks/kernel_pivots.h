// Kernels in models with linear scores: a vector x is represented by its kernel values k(x, x_p)
// with the pivots x_p, each of which has a row of weights.
//
//   linear        x·x'
//   poly:D[:O]    ((x·x' + O) / (1 + O))^D,     O = 1 unless given
//   rbf:G         exp(−G ‖x − x'‖²)
//
// Training makes explicit features φ(x) of its vectors (problem/kernels/kernel_map.h), so that
// every learner and loss works with kernels; the weights of φ then become weights of the pivots.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/problem/kernels/kernel_map.h"

namespace trellis {

Kernel parse_kernel(std::string_view text);  // throws UsageError
std::string to_string(const Kernel& kernel);

// Sparse vectors, stored one after another.
struct SparseRows {
  Index width = 0;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> ids;  // for each vector ascending, below the width
  std::vector<float> values;

  Index size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> ids_of(Index r) const {
    return std::span(ids).subspan(begin[r], begin[r + 1] - begin[r]);
  }
  std::span<const float> values_of(Index r) const {
    return std::span(values).subspan(begin[r], begin[r + 1] - begin[r]);
  }
  void add(std::span<const std::uint32_t> row_ids, std::span<const float> row_values);
  void add_dense(std::span<const float> row);
  std::vector<float> to_dense() const;  // `width` values for each vector
};

// Evaluates the kernel between new vectors and the pivots. Const and thread-safe.
class KernelPivots {
 public:
  KernelPivots() = default;
  KernelPivots(const Kernel& kernel, SparseRows pivots);

  const Kernel& kernel() const { return kernel_; }
  const SparseRows& rows() const { return rows_; }
  Index size() const { return norms_.size(); }

  // out[p] ← k(scale · x, x_p). Ids are below the width of the pivots. `squared_norm` is ‖scale ·
  // x‖², where x may have entries in dimensions that no pivot has. `products` is scratch memory.
  // Time: the number of non-zeros of the pivots in the dimensions of x.
  void expand(std::span<const std::uint32_t> ids, std::span<const float> values, double scale,
              double squared_norm, std::vector<double>& products, std::span<float> out) const;

 private:
  static constexpr Index kNoRow = ~Index{0};
  struct Posting {
    std::uint32_t pivot;
    float value;
  };

  Kernel kernel_;
  SparseRows rows_;
  // Each dimension has a list of the pivots that have it or, if many have it, a dense row of all
  // pivots, which vector operations add up.
  std::vector<std::uint64_t> begin_;  // for each dimension, in postings_
  std::vector<Posting> postings_;
  std::vector<Index> dense_row_;  // for each dimension; kNoRow: it has a list
  std::vector<double> dense_;
  std::vector<double> norms_;  // ‖x_p‖²
};

// φ of the vectors. Throws UsageError if the matrices need more than a few gigabytes.
KernelMap map_rows(const Kernel& kernel, const SparseRows& x, const KernelMapOptions& options);
// The chosen vectors.
SparseRows choose_rows(const SparseRows& x, std::span<const Index> chosen);

// Throws UsageError for a limit of pivots (`limited`) or coefficients of all training vectors
// (`implicit`) without a kernel, for both together, and for a kernel with an L1 penalty.
void require_kernel_fits(const std::optional<Kernel>& kernel, bool limited, bool implicit, bool l1);

}  // namespace trellis
