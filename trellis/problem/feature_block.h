// The features of many parts at once. A block ties the feature vectors x_r of its rows r (nodes or
// edges of an example) to a run of parts and a run of weights, T targets each:
//
//   F[weight_begin + k·T + t, part_begin + r·T + t] = scale · x_r[k]
//
// T = 1 scores one part per row (a node of a cut, an edge of a matching); T = L one per label (a
// node of a tree); T = L·L one per pair of labels (its edges). The blocks of an example, stacked,
// are its F_i.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/feature_rows.h"
#include "trellis/data/sparse_vector.h"

namespace trellis {

struct FeatureBlock {
  FeatureRows rows;
  Index part_begin = 0;
  Index targets = 1;  // T
  Index weight_begin = 0;
  double scale = 1;

  Index part_end() const { return part_begin + rows.num_rows() * targets; }
  Index weight_end() const { return weight_begin + rows.width() * targets; }

  void add_scores(std::span<const double> w, std::span<double> s) const;  // s += Fᵀ w
  // gradient += factor · F z
  void add_features(std::span<const double> z, double factor, std::span<double> gradient) const;
  // slope ← slope, factor · F z: appended as one run for dense rows, and as a run of T weights for
  // each feature that occurs in a row with z ≠ 0 for sparse ones. `distinct` is memory.
  void append_features(std::span<const double> z, double factor,
                       std::vector<std::uint32_t>& distinct, SparseVector& slope) const;

 private:
  // visit(k, x_rk, the row's parts of z) for the features of all rows whose parts are not all 0.
  template <class Visit>
  void for_each_active(std::span<const double> z, const Visit& visit) const;
};

}  // namespace trellis
