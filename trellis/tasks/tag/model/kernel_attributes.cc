#include "trellis/tasks/tag/model/kernel_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "trellis/data/feature_rows.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::tag {
namespace {

// The attributes of all positions, scaled to length 1.
SparseRows vectors(const AttributeStore& store, Index width) {
  SparseRows rows;
  rows.width = width;
  PositionVector x;
  for (Index i = 0; i < store.num_examples(); ++i) {
    const PositionAttributes at = store.attributes(i);
    for (Index t = 0; t + 1 < at.begin.size(); ++t) {
      x.clear();
      for (Index k = at.begin[t] - at.begin[0]; k < at.begin[t + 1] - at.begin[0]; ++k) {
        x.add(at.attribute(k), static_cast<float>(at.value(k)));
      }
      x.finish();
      x.scale_to_unit_length();
      rows.add(x.ids(), x.values());
    }
  }
  return rows;
}

// The examples of a store with other attributes: put(position, ids, values) appends those of a
// position; positions are numbered through all examples.
template <class Put>
AttributeStore restock(const AttributeStore& positions, const Put& put) {
  AttributeStore store;
  std::vector<std::uint32_t> begin;
  std::vector<AttributeId> ids;
  std::vector<float> values;
  Index position = 0;
  for (Index i = 0; i < positions.num_examples(); ++i) {
    const Index length = positions.attributes(i).begin.size() - 1;
    begin.assign(1, 0);
    ids.clear();
    values.clear();
    for (Index t = 0; t < length; ++t, ++position) {
      put(position, ids, values);
      begin.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    store.add(begin, ids, values);
  }
  return store;
}

FeatureRows representers(const SparseRows& x) {
  return FeatureRows::sparse(x.width, {x.begin.begin(), x.begin.end()}, x.ids, x.values);
}

}  // namespace

void PositionVector::finish() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.dimension < b.dimension; });
  ids_.clear();
  values_.clear();
  for (const auto& [dimension, value] : entries_) {
    if (!ids_.empty() && ids_.back() == dimension) {
      values_.back() += value;
      continue;
    }
    ids_.push_back(dimension);
    values_.push_back(value);
  }
}

double PositionVector::squared_length(double others) const {
  double squares = others;
  for (const float value : values_) squares += static_cast<double>(value) * value;
  return squares;
}

void PositionVector::scale_to_unit_length() {
  const double squares = squared_length();
  if (squares == 0) return;
  const double scale = 1 / std::sqrt(squares);
  for (float& value : values_) value = static_cast<float>(value * scale);
}

KernelTraining::KernelTraining(const Kernel& kernel, const KernelTrainingOptions& options,
                               Index num_attributes, Index num_labels, AttributeStore& store) {
  std::vector<AttributeId> same(num_attributes);
  std::iota(same.begin(), same.end(), AttributeId{0});
  store.finish(same, num_attributes);
  SparseRows x = vectors(store, num_attributes);
  if (options.implicit) {
    group_ = std::make_unique<KernelGroup>(kernel, x.width, num_labels);
    group_->add(representers(x));
    group_->finish(options.threads);
    pivots_ = KernelPivots(kernel, std::move(x));
    store = restock(store, [](Index position, auto& ids, auto&) {
      ids.push_back(static_cast<AttributeId>(position));
    });
    return;
  }
  KernelMapOptions map_options;
  map_options.max_rank = options.max_rank;
  map_options.threads = options.threads;
  map_ = std::make_unique<KernelMap>(map_rows(kernel, x, map_options));
  pivots_ = KernelPivots(kernel, choose_rows(x, map_->pivots()));
  store = restock(store, [&](Index position, auto& ids, auto& values) {
    const std::span<const double> phi = map_->features(position);
    for (Index p = 0; p < phi.size(); ++p) {
      if (phi[p] == 0) continue;
      ids.push_back(static_cast<AttributeId>(p));
      values.push_back(static_cast<float>(phi[p]));
    }
  });
}

void KernelTraining::to_pivot_weights(std::span<double> w, std::span<const AttributeId> row_of,
                                      Index num_labels) const {
  if (map_ == nullptr) return;
  std::vector<double> table(pivots_.size() * num_labels);
  const auto row = [&](Index p) { return w.subspan(row_of[p] * num_labels, num_labels); };
  const auto place = [&](Index p) {
    return table.begin() + static_cast<std::ptrdiff_t>(p * num_labels);
  };
  for (Index p = 0; p < pivots_.size(); ++p) std::copy(row(p).begin(), row(p).end(), place(p));
  map_->to_coefficients(table, num_labels);
  for (Index p = 0; p < pivots_.size(); ++p) std::copy_n(place(p), num_labels, row(p).begin());
}

std::uint64_t pivot_fingerprint(Index p) {
  return fingerprint(pivot_name(p));
}

std::string pivot_name(Index p) {
  return fmt::format("pivot {}", p);
}

}  // namespace trellis::tag
