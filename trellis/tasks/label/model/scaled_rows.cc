#include "trellis/tasks/label/model/scaled_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

void require_fit(const FeatureRows& rows, const FeatureScaling& scaling) {
  const auto fits = [&](const std::vector<double>& numbers) {
    return numbers.empty() || numbers.size() == rows.width();
  };
  if (!fits(scaling.mean) || !fits(scaling.scale)) {
    throw UsageError("a scaling of features that is not made for this number of them");
  }
  if (!scaling.mean.empty() && !rows.is_dense()) {
    throw UsageError("sparse feature vectors cannot be centred");
  }
}

// Scales one row at a time; the values of the row at hand wait for its length in `row_`.
class RowScaler {
 public:
  RowScaler(const FeatureScaling& scaling, Index first) : scaling_(scaling), first_(first) {}

  void begin() { row_.clear(); }
  void add(Index k, float x) {
    double value = static_cast<double>(x);
    if (!scaling_.mean.empty()) value -= scaling_.mean[k];
    if (!scaling_.scale.empty()) value *= scaling_.scale[k];
    row_.push_back(value);
  }
  void finish(Index row, std::vector<float>& values) {
    const double length = scaling_.unit_length ? norm() : 0;
    for (const double value : row_) append(length > 0 ? value / length : value, row, values);
    if (scaling_.bias != 0) append(scaling_.bias, row, values);
  }

 private:
  // By the largest first: squares of what a float can hold may be beyond or below a double.
  double norm() const {
    double largest = 0;
    for (const double value : row_) largest = std::max(largest, std::abs(value));
    if (!(largest > 0) || std::isinf(largest)) return largest;
    double sum = 0;
    for (const double value : row_) sum += (value / largest) * (value / largest);
    return largest * std::sqrt(sum);
  }

  void append(double value, Index row, std::vector<float>& values) const {
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
      throw UsageError(fmt::format("a scaled feature of instance {} is beyond the range of a float",
                                   first_ + row));
    }
    values.push_back(static_cast<float>(value));
  }

  const FeatureScaling& scaling_;
  Index first_;
  std::vector<double> row_;
};

FeatureRows scaled_dense(const FeatureRows& rows, RowScaler& scaler, Index width) {
  std::vector<float> values;
  values.reserve(rows.num_rows() * width);
  for (Index r = 0; r < rows.num_rows(); ++r) {
    scaler.begin();
    const auto x = rows.dense_row(r);
    for (Index k = 0; k < x.size(); ++k) scaler.add(k, x[k]);
    scaler.finish(r, values);
  }
  return FeatureRows::dense(width, std::move(values));
}

FeatureRows scaled_sparse(const FeatureRows& rows, RowScaler& scaler, bool bias, Index width) {
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
  for (Index r = 0; r < rows.num_rows(); ++r) {
    scaler.begin();
    const auto row_ids = rows.ids(r);
    const auto x = rows.values(r);
    for (Index k = 0; k < row_ids.size(); ++k) scaler.add(row_ids[k], x[k]);
    scaler.finish(r, values);
    ids.insert(ids.end(), row_ids.begin(), row_ids.end());
    if (bias) ids.push_back(static_cast<std::uint32_t>(rows.width()));
    if (ids.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw UsageError("more than 2^32 features that are not 0");
    }
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  return FeatureRows::sparse(width, std::move(begin), std::move(ids), std::move(values));
}

}  // namespace

FeatureRows scaled(const FeatureRows& rows, const FeatureScaling& scaling, Index first) {
  require_fit(rows, scaling);
  const bool bias = scaling.bias != 0;
  const Index width = rows.width() + (bias ? 1 : 0);
  RowScaler scaler(scaling, first);
  return rows.is_dense() && width > 0 ? scaled_dense(rows, scaler, width)
                                      : scaled_sparse(rows, scaler, bias, width);
}

}  // namespace trellis::label
