#include "trellis/problem/labels/multiclass_model.h"

#include <algorithm>

#include "trellis/problem/chain/position_rows.h"

namespace trellis {

void MulticlassModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  const PositionAttributes x = attributes_->attributes(i);
  add_position_scores(rows_, x, {0, x.ids.size()}, w.data(), s.data());
}

void MulticlassModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::span<const double> row = costs_->row(labels_[i]);
  for (Index j = 0; j < s.size(); ++j) s[j] += scale * row[j];
}

void MulticlassModel::add_features(Index i, std::span<const double> z, double scale,
                                   std::span<double> gradient) const {
  const PositionAttributes x = attributes_->attributes(i);
  add_position_features(rows_, x, {0, x.ids.size()}, z.data(), scale,
                        [&](Index k) { return gradient.data() + rows_.begin(x.attribute(k)); });
}

void MulticlassModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                               SparseVector& slope) const {
  slope.clear();
  if (std::all_of(z.begin(), z.end(), [](double part) { return part == 0; })) return;
  const PositionAttributes x = attributes_->attributes(i);
  for (const AttributeId a : x.distinct) slope.append(rows_.begin(a), rows_.size(a));
  add_position_features(rows_, x, {0, x.ids.size()}, z.data(), scale,
                        [&](Index k) { return slope.values(slope.runs()[x.ids[k]]).data(); });
}

}  // namespace trellis
