#include "trellis/problem/multiclass_model.h"

#include <algorithm>

namespace trellis {

void MulticlassModel::scores(Index i, std::span<const double> w, std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  const PositionAttributes x = attributes_->attributes(i);
  for (Index k = 0; k < x.ids.size(); ++k) {
    rows_.add_scores(x.attribute(k), x.value(k), w.data(), s.data());
  }
}

void MulticlassModel::add_costs(Index i, double scale, std::span<double> s) const {
  const std::span<const double> row = costs_->row(labels_[i]);
  for (Index j = 0; j < s.size(); ++j) s[j] += scale * row[j];
}

void MulticlassModel::add_features(Index i, std::span<const double> z, double scale,
                                   std::span<double> gradient) const {
  const PositionAttributes x = attributes_->attributes(i);
  for (Index k = 0; k < x.ids.size(); ++k) {
    const AttributeId a = x.attribute(k);
    rows_.add_features(a, scale * x.value(k), z.data(), gradient.data() + rows_.begin(a));
  }
}

void MulticlassModel::features(Index i, std::span<const double> z, double scale, Workspace&,
                               SparseVector& slope) const {
  slope.clear();
  if (std::all_of(z.begin(), z.end(), [](double part) { return part == 0; })) return;
  const PositionAttributes x = attributes_->attributes(i);
  for (const AttributeId a : x.distinct) slope.append(rows_.begin(a), rows_.size(a));
  for (Index k = 0; k < x.ids.size(); ++k) {
    rows_.add_features(x.attribute(k), scale * x.value(k), z.data(),
                       slope.values(slope.runs()[x.ids[k]]).data());
  }
}

}  // namespace trellis
