// The feature vectors x_e of all edges e of one bipartite graph, stored as
//
//   rows       one for each edge (graph files), dense or by non-zeros
//   contexts   the shape contexts of both ends of the edges of a complete graph (shape_context.h):
//              n_left + n_right contexts instead of n_left · n_right differences
//
// Scores are s_e = ⟨x_e, w⟩ (Petterson 2011, 5.6).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/feature_block.h"
#include "trellis/tasks/match/shape_context.h"

namespace trellis::match {

// The contexts of one shape, bin by bin, so that sums over points read memory in order.
struct ContextTable {
  Index bins = 0;
  Index points = 0;
  std::vector<double> values;  // values[bin · points + point]

  ContextTable() = default;
  ContextTable(const PointSet& shape, const ContextOptions& options);
  // Adds one bin, in which every point has `value`: 1 on the left and 0 on the right give the
  // constant feature 1, the score for matching at all.
  ContextTable with_bias(double value) const;
  const double* bin(Index k) const { return values.data() + k * points; }
};

class EdgeFeatures {
 public:
  static EdgeFeatures of_rows(FeatureRows rows);
  static EdgeFeatures of_contexts(std::shared_ptr<const ContextTable> left,
                                  std::shared_ptr<const ContextTable> right, Difference difference);

  Index width() const;
  Index num_edges() const;

  void add_scores(std::span<const double> w, std::span<double> s) const;  // s += xᵀ w
  // gradient += factor · Σ_e z_e x_e
  void add_features(std::span<const double> z, double factor, std::span<double> gradient) const;
  // slope ← factor · Σ_e z_e x_e. `distinct` is scratch memory.
  void features(std::span<const double> z, double factor, std::vector<std::uint32_t>& distinct,
                SparseVector& slope) const;

  // squares[k] += Σ_e x_e[k]²
  void add_squares(std::span<double> squares) const;
  // The same with feature k multiplied by scale[k] > 0. `made` caches the tables that several
  // graphs share; all calls with one cache must have the same scale.
  using ScaledTables = std::unordered_map<const ContextTable*, std::shared_ptr<const ContextTable>>;
  EdgeFeatures scaled(std::span<const double> scale, ScaledTables& made) const;

 private:
  double term(Index k, Index i, Index j) const;

  std::optional<FeatureBlock> rows_;
  std::shared_ptr<const ContextTable> left_;
  std::shared_ptr<const ContextTable> right_;
  Difference difference_ = Difference::kSquared;
};

}  // namespace trellis::match
