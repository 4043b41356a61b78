#include "trellis/tasks/factors/feature_map.h"

#include <algorithm>
#include <ranges>

namespace trellis::factors {
namespace {

Index num_weights_of(const WeightRow& row) {
  return row.tied ? 1 : row.size;
}

// sums += scale · (the row's part of F z)
void add_row(const WeightRow& row, std::span<const double> z, double scale,
             std::span<double> sums) {
  const auto parts = z.subspan(row.part, row.size);
  const double factor = scale * row.value;
  if (row.tied) {
    double sum = 0;
    for (const double part : parts) sum += part;
    sums[0] += factor * sum;
  } else {
    for (Index k = 0; k < row.size; ++k) sums[k] += factor * parts[k];
  }
}

}  // namespace

void part_scores(std::span<const WeightRow> rows, std::span<const double> w, std::span<double> s) {
  std::ranges::fill(s, 0.0);
  for (const WeightRow& row : rows) {
    const auto parts = s.subspan(row.part, row.size);
    if (row.tied) {
      const double score = row.value * w[row.weight];
      for (double& part : parts) part += score;
    } else {
      const auto weights = w.subspan(row.weight, row.size);
      for (Index k = 0; k < row.size; ++k) parts[k] += row.value * weights[k];
    }
  }
}

FeatureMap::FeatureMap(std::span<const WeightRow> rows) : rows_(rows), offsets_(rows.size()) {
  for (const WeightRow& row : rows_) runs_.push_back({row.weight, num_weights_of(row), 0});
  std::ranges::sort(runs_, {}, &Run::weight);
  // Rows that share one weight share all, since they have one type (factor_features.h).
  const auto same = [](const Run& a, const Run& b) { return a.weight == b.weight; };
  runs_.erase(std::unique(runs_.begin(), runs_.end(), same), runs_.end());
  for (Run& run : runs_) {
    run.offset = num_weights_;
    num_weights_ += run.size;
  }
  for (Index r = 0; r < rows_.size(); ++r) {
    offsets_[r] = std::ranges::lower_bound(runs_, rows_[r].weight, {}, &Run::weight)->offset;
  }
}

void FeatureMap::add_features(std::span<const double> z, double scale,
                              std::span<double> gradient) const {
  for (const WeightRow& row : rows_) {
    add_row(row, z, scale, gradient.subspan(row.weight, num_weights_of(row)));
  }
}

void FeatureMap::features(std::span<const double> z, double scale, std::vector<double>& sums,
                          SparseVector& slope) const {
  sums.assign(num_weights_, 0.0);
  for (Index r = 0; r < rows_.size(); ++r) {
    add_row(rows_[r], z, scale, std::span(sums).subspan(offsets_[r], num_weights_of(rows_[r])));
  }
  slope.clear();
  for (const Run& run : runs_) {
    const auto values = std::span(sums).subspan(run.offset, run.size);
    if (std::ranges::all_of(values, [](double value) { return value == 0; })) continue;
    std::ranges::copy(values, slope.append(run.weight, run.size).begin());
  }
}

}  // namespace trellis::factors
