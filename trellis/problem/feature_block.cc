#include "trellis/problem/feature_block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

void require_finite(const std::vector<float>& values) {
  for (const float value : values) {
    if (!std::isfinite(value)) throw UsageError("a feature is not a finite number");
  }
}

}  // namespace

FeatureRows FeatureRows::dense(Index width, std::vector<float> values) {
  if (width == 0 || values.size() % width != 0) {
    throw UsageError("feature rows need a multiple of their width of values");
  }
  require_finite(values);
  FeatureRows rows;
  rows.num_rows_ = values.size() / width;
  rows.width_ = width;
  rows.values_ = std::move(values);
  return rows;
}

FeatureRows FeatureRows::sparse(Index width, std::vector<std::uint32_t> begin,
                                std::vector<std::uint32_t> ids, std::vector<float> values) {
  if (begin.empty() || begin.front() != 0 || begin.back() != ids.size() ||
      ids.size() != values.size() || !std::is_sorted(begin.begin(), begin.end())) {
    throw UsageError("sparse feature rows whose bounds do not fit their features");
  }
  require_finite(values);
  for (Index r = 0; r + 1 < begin.size(); ++r) {
    for (Index k = begin[r]; k < begin[r + 1]; ++k) {
      if (ids[k] >= width || (k > begin[r] && ids[k] <= ids[k - 1])) {
        throw UsageError("sparse feature rows need ascending features below their width");
      }
    }
  }
  FeatureRows rows;
  rows.num_rows_ = begin.size() - 1;
  rows.width_ = width;
  rows.begin_ = std::move(begin);
  rows.ids_ = std::move(ids);
  rows.values_ = std::move(values);
  return rows;
}

FeatureRows FeatureRows::constant(Index num_rows) {
  return dense(1, std::vector<float>(num_rows, 1.0F));
}

FeatureRowsBuilder::FeatureRowsBuilder(Index width, bool dense, Index num_rows)
    : width_(width), dense_(dense && width > 0) {
  if (dense_) values_.reserve(num_rows * width_);
}

void FeatureRowsBuilder::begin_row() {
  if (dense_) {
    row_ = values_.size();
    values_.resize(row_ + width_, 0.0F);
    return;
  }
  if (ids_.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("more than 2^32 features that are not 0");
  }
  begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
}

FeatureRows FeatureRowsBuilder::finish() && {
  if (dense_) return FeatureRows::dense(width_, std::move(values_));
  begin_row();  // where one more would begin
  return FeatureRows::sparse(width_, std::move(begin_), std::move(ids_), std::move(values_));
}

void FeatureBlock::add_scores(std::span<const double> w, std::span<double> s) const {
  const double* weights = w.data() + weight_begin;
  double* scores = s.data() + part_begin;
  const auto add = [&](Index r, Index k, double value) {
    for (Index t = 0; t < targets; ++t) {
      scores[r * targets + t] += scale * value * weights[k * targets + t];
    }
  };
  for (Index r = 0; r < rows.num_rows(); ++r) {
    if (rows.is_dense() && targets == 1) {  // by far the most common: a dot product
      double sum = 0;
      rows.for_each(r, [&](Index k, double x) { sum += x * weights[k]; });
      scores[r] += scale * sum;
    } else {
      rows.for_each(r, [&](Index k, double x) { add(r, k, x); });
    }
  }
}

template <class Visit>
void FeatureBlock::for_each_active(std::span<const double> z, const Visit& visit) const {
  for (Index r = 0; r < rows.num_rows(); ++r) {
    const auto parts = z.subspan(part_begin + r * targets, targets);
    if (std::all_of(parts.begin(), parts.end(), [](double part) { return part == 0; })) continue;
    rows.for_each(r, [&](Index k, double x) { visit(k, x, parts); });
  }
}

void FeatureBlock::add_features(std::span<const double> z, double factor,
                                std::span<double> gradient) const {
  double* block = gradient.data() + weight_begin;
  for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
    for (Index t = 0; t < targets; ++t) {
      block[k * targets + t] += factor * scale * value * parts[t];
    }
  });
}

void FeatureBlock::append_features(std::span<const double> z, double factor,
                                   std::vector<std::uint32_t>& distinct,
                                   SparseVector& slope) const {
  if (rows.is_dense()) {
    const std::span<double> run = slope.append(weight_begin, rows.width() * targets);
    for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
      for (Index t = 0; t < targets; ++t) run[k * targets + t] += factor * scale * value * parts[t];
    });
    return;
  }
  distinct.clear();
  for_each_active(z, [&](Index k, double, std::span<const double>) {
    distinct.push_back(static_cast<std::uint32_t>(k));
  });
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Index first = slope.runs().size();
  for (const std::uint32_t k : distinct) slope.append(weight_begin + k * targets, targets);
  for_each_active(z, [&](Index k, double value, std::span<const double> parts) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), k) - distinct.begin();
    const std::span<double> run = slope.values(slope.runs()[first + static_cast<Index>(at)]);
    for (Index t = 0; t < targets; ++t) run[t] += factor * scale * value * parts[t];
  });
}

}  // namespace trellis
