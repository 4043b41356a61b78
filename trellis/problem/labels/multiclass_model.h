// The part model of a flat classifier: one label per example, scored by the rows of its attributes.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/cost_table.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis {

class MulticlassModel {
 public:
  using Structure = Multiclass;
  struct Workspace {};

  // All must outlive the model. `attributes` has one position per example and is finished;
  // `weights` is empty or one per example.
  MulticlassModel(const AttributeRows& rows, const AttributeStore& attributes,
                  std::span<const Label> labels, const CostTable& costs,
                  std::span<const double> weights = {})
      : rows_(rows), attributes_(&attributes), labels_(labels), costs_(&costs), weights_(weights) {}

  Index num_examples() const { return labels_.size(); }
  Index dimension() const { return rows_.num_weights(); }
  double example_weight(Index i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  Multiclass structure(Index) const { return Multiclass(rows_.num_targets()); }
  const Label& gold(Index i) const { return labels_[i]; }

  void scores(Index i, std::span<const double> w, std::span<double> s) const;
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

 private:
  AttributeRows rows_;
  const AttributeStore* attributes_;
  std::span<const Label> labels_;
  const CostTable* costs_;
  std::span<const double> weights_;
};

}  // namespace trellis
