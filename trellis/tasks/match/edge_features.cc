#include "trellis/tasks/match/edge_features.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trellis::match {
namespace {

FeatureRows scaled_rows(const FeatureRows& rows, std::span<const double> scale) {
  FeatureRowsBuilder scaled(rows.width(), rows.is_dense(), rows.num_rows());
  for (Index r = 0; r < rows.num_rows(); ++r) {
    scaled.begin_row();
    rows.for_each(r, [&](Index k, double x) { scaled.add(k, static_cast<float>(x * scale[k])); });
  }
  return std::move(scaled).finish();
}

// c (a − b)² = (√c a − √c b)²
ContextTable scaled_table(const ContextTable& table, std::span<const double> scale,
                          Difference difference) {
  ContextTable out = table;
  for (Index k = 0; k < table.bins; ++k) {
    const double factor = difference == Difference::kSquared ? std::sqrt(scale[k]) : scale[k];
    for (Index i = 0; i < table.points; ++i) out.values[k * table.points + i] *= factor;
  }
  return out;
}

}  // namespace

ContextTable::ContextTable(const PointSet& shape, const ContextOptions& options)
    : bins(options.num_bins()), points(shape.points.size()), values(bins * points) {
  const std::vector<float> rows = shape_contexts(shape, options);
  for (Index i = 0; i < points; ++i) {
    for (Index k = 0; k < bins; ++k) {
      values[k * points + i] = static_cast<double>(rows[i * bins + k]);
    }
  }
}

ContextTable ContextTable::with_bias(double value) const {
  ContextTable out = *this;
  ++out.bins;
  out.values.resize(out.bins * points, value);
  return out;
}

EdgeFeatures EdgeFeatures::of_rows(FeatureRows rows) {
  EdgeFeatures features;
  features.rows_ = FeatureBlock{std::move(rows), 0, 1, 0, 1};
  return features;
}

EdgeFeatures EdgeFeatures::of_contexts(std::shared_ptr<const ContextTable> left,
                                       std::shared_ptr<const ContextTable> right,
                                       Difference difference) {
  EdgeFeatures features;
  features.left_ = std::move(left);
  features.right_ = std::move(right);
  features.difference_ = difference;
  return features;
}

Index EdgeFeatures::width() const {
  return rows_ ? rows_->rows.width() : left_->bins;
}

Index EdgeFeatures::num_edges() const {
  return rows_ ? rows_->rows.num_rows() : left_->points * right_->points;
}

double EdgeFeatures::term(Index k, Index i, Index j) const {
  const double d = left_->bin(k)[i] - right_->bin(k)[j];
  return difference_ == Difference::kSquared ? d * d : std::abs(d);
}

void EdgeFeatures::add_scores(std::span<const double> w, std::span<double> s) const {
  if (rows_) return rows_->add_scores(w, s);
  const Index n = right_->points;
  for (Index k = 0; k < w.size(); ++k) {
    if (w[k] == 0) continue;
    const double* b = right_->bin(k);
    for (Index i = 0; i < left_->points; ++i) {
      const double a = left_->bin(k)[i];
      double* row = s.data() + i * n;
      if (difference_ == Difference::kSquared) {
        for (Index j = 0; j < n; ++j) row[j] += w[k] * ((a - b[j]) * (a - b[j]));
      } else {
        for (Index j = 0; j < n; ++j) row[j] += w[k] * std::abs(a - b[j]);
      }
    }
  }
}

void EdgeFeatures::add_features(std::span<const double> z, double factor,
                                std::span<double> gradient) const {
  if (rows_) return rows_->add_features(z, factor, gradient);
  const Index n = right_->points;
  for (Index i = 0; i < left_->points; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double mass = factor * z[i * n + j];
      if (mass == 0) continue;
      for (Index k = 0; k < gradient.size(); ++k) gradient[k] += mass * term(k, i, j);
    }
  }
}

void EdgeFeatures::features(std::span<const double> z, double factor,
                            std::vector<std::uint32_t>& distinct, SparseVector& slope) const {
  slope.clear();
  if (rows_) return rows_->append_features(z, factor, distinct, slope);
  add_features(z, factor, slope.append(0, left_->bins));
}

void EdgeFeatures::add_squares(std::span<double> squares) const {
  if (!rows_) {
    for (Index k = 0; k < squares.size(); ++k) {
      for (Index i = 0; i < left_->points; ++i) {
        for (Index j = 0; j < right_->points; ++j) {
          const double x = term(k, i, j);
          squares[k] += x * x;
        }
      }
    }
    return;
  }
  const FeatureRows& rows = rows_->rows;
  for (Index r = 0; r < rows.num_rows(); ++r) {
    rows.for_each(r, [&](Index k, double x) { squares[k] += x * x; });
  }
}

EdgeFeatures EdgeFeatures::scaled(std::span<const double> scale, ScaledTables& made) const {
  if (rows_) return of_rows(scaled_rows(rows_->rows, scale));
  const auto table = [&](const std::shared_ptr<const ContextTable>& original) {
    std::shared_ptr<const ContextTable>& other = made[original.get()];
    if (other == nullptr) {
      other = std::make_shared<const ContextTable>(scaled_table(*original, scale, difference_));
    }
    return other;
  };
  return of_contexts(table(left_), table(right_), difference_);
}

}  // namespace trellis::match
