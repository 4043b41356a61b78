#include "trellis/data/feature_rows.h"

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
    throw UsageError("there are more than 2^32 non-zero features");
  }
  begin_.push_back(static_cast<std::uint32_t>(ids_.size()));
}

FeatureRows FeatureRowsBuilder::finish() && {
  if (dense_) return FeatureRows::dense(width_, std::move(values_));
  begin_row();  // where one more would begin
  return FeatureRows::sparse(width_, std::move(begin_), std::move(ids_), std::move(values_));
}

}  // namespace trellis
