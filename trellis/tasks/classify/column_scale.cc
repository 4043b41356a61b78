#include "trellis/tasks/classify/column_scale.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trellis::classify {
namespace {

// What counts as about 1: with deviations between 1/4 and 4, every learner works well.
constexpr double kNear = 4;
// In deviations; with a larger mean, a column acts more as a bias than as a feature.
constexpr double kOffCentre = 2;
// Values are floats: smaller relative differences are rounding errors.
constexpr double kConstant = 1e-6;

}  // namespace

ColumnScale::ColumnScale(std::vector<double> factors, std::vector<double> shifts)
    : factors_(std::move(factors)), shifts_(std::move(shifts)) {
  for (Index a = 0; a < shifts_.size(); ++a) {
    if (shifts_[a] != 0) shifted_.push_back(static_cast<AttributeId>(a));
  }
}

void ColumnScale::apply(std::vector<AttributeId>& ids, std::vector<double>& values) const {
  if (empty()) return;
  std::vector<AttributeId> all_ids;
  std::vector<double> all_values;
  all_ids.reserve(ids.size() + shifted_.size());
  all_values.reserve(ids.size() + shifted_.size());
  const auto put = [&](AttributeId a, double value) {
    all_ids.push_back(a);
    all_values.push_back((value - shifts_[a]) * factors_[a]);
  };
  // Missing entries are 0, which a shift makes non-zero.
  auto next = shifted_.begin();
  for (Index k = 0; k < ids.size(); ++k) {
    for (; next != shifted_.end() && *next < ids[k]; ++next) put(*next, 0);
    if (next != shifted_.end() && *next == ids[k]) ++next;
    put(ids[k], values[k]);
  }
  for (; next != shifted_.end(); ++next) put(*next, 0);
  ids.swap(all_ids);
  values.swap(all_values);
}

void ColumnFigures::add(double value) {
  lowest = count == 0 ? value : std::min(lowest, value);
  highest = count == 0 ? value : std::max(highest, value);
  ++count;
  // Welford (1962): keeps the precision for columns of large values with small differences.
  const double before = value - mean;
  mean += before / static_cast<double>(count);
  squares += before * (value - mean);
}

void ColumnSurvey::add(std::span<const AttributeId> ids, std::span<const double> values) {
  ++documents_;
  for (Index k = 0; k < ids.size(); ++k) {
    if (values[k] != 0) columns_[ids[k]].add(values[k]);
  }
}

ColumnSurvey::Spread ColumnSurvey::spread(const ColumnFigures& column) const {
  const double n = static_cast<double>(documents_);
  const double count = static_cast<double>(column.count);
  // Indicator columns, as in one-hot data, need no shift by their mean.
  const bool indicator = column.lowest == column.highest;
  Spread spread{!indicator && 2 * column.count >= documents_, column.mean, 0, column.lowest,
                column.highest};
  if (!spread.filled) return spread;
  // Adds the zeros, which have mean 0 and deviation 0.
  spread.mean = column.mean * count / n;
  const double squares = column.squares + column.mean * column.mean * count * (n - count) / n;
  spread.deviation = std::sqrt(squares / n);
  if (column.count < documents_) {
    spread.lowest = std::min(spread.lowest, 0.0);
    spread.highest = std::max(spread.highest, 0.0);
  }
  return spread;
}

bool ColumnSurvey::needs_scaling() const {
  Index entries = 0;
  Index in_filled = 0;
  bool large = false;
  bool off = false;  // too small, or far from 0
  for (const ColumnFigures& column : columns_) {
    if (column.count == 0) continue;
    const Spread s = spread(column);
    entries += column.count;
    if (!s.filled) {
      large = large || std::max(-s.lowest, s.highest) > kNear;
      continue;
    }
    in_filled += column.count;
    large = large || s.deviation > kNear;
    off = off || s.deviation * kNear < 1 || std::abs(s.mean) > kOffCentre * s.deviation;
  }
  return large || (off && 2 * in_filled >= entries);
}

ColumnScale ColumnSurvey::scale(Scaling scaling, AttributeId bias) const {
  std::vector<double> factors(columns_.size(), 1.0);
  std::vector<double> shifts(columns_.size(), 0.0);
  for (Index a = 0; a < columns_.size(); ++a) {
    if (columns_[a].count == 0 || a == bias) continue;
    const Spread s = spread(columns_[a]);
    const double largest = std::max(std::abs(s.lowest), std::abs(s.highest));
    double width = largest;
    if (s.filled && bias != kNoAttribute) {
      const double half_range = (s.highest - s.lowest) / 2;
      shifts[a] = scaling == Scaling::kRange ? s.lowest + half_range : s.mean;
      width = scaling == Scaling::kRange ? half_range : s.deviation;
      // A column that is constant except for rounding becomes 0.
      if (width <= kConstant * largest) width = largest;
    }
    if (std::isfinite(1 / width)) factors[a] = 1 / width;
  }
  return {std::move(factors), std::move(shifts)};
}

}  // namespace trellis::classify
