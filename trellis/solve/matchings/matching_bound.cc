#include "trellis/solve/matchings/matching_bound.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numbers>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// h(r)/e of Huber & Law.
double huber_law_factor(double r) {
  const double e = std::numbers::e;
  return (r >= 1 ? r + 0.5 * portable_log(r) + (e - 1) : 1 + (e - 1) * r) / e;
}

}  // namespace

void BoundedMatrix::assign(MatchingBound bound, Index n, std::span<const double> entries) {
  assert(entries.size() == n * n && n <= std::numeric_limits<std::uint16_t>::max());
  bound_ = bound;
  rows_.resize(n);
  std::iota(rows_.begin(), rows_.end(), std::uint16_t{0});
  columns_ = rows_;
  entries_.assign(entries.begin(), entries.end());
  log_scale_ = 0;
  increments_.resize(n);
  double log_factorial = 0, below = 0;
  for (Index p = 1; p <= n; ++p) {
    const auto count = static_cast<double>(p);
    log_factorial += portable_log(count);
    const double gamma = p == 1 ? 1 : portable_exp(log_factorial / count);
    increments_[p - 1] = gamma - below;
    below = gamma;
  }
  order_.resize(n * n);
  for (Index k = 0; k < n; ++k) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(k * n);
    std::copy(columns_.begin(), columns_.end(), begin);
    const double* x = &entries_[k * n];
    std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(n),
                     [x](std::uint16_t p, std::uint16_t q) { return x[p] > x[q]; });
  }
  scale_rows();
}

void BoundedMatrix::assign_without(const BoundedMatrix& other, Index row, Index column) {
  assert(this != &other && row < other.size() && column < other.size());
  const Index m = other.size(), n = m - 1;
  bound_ = other.bound_;
  log_scale_ = other.log_scale_ + portable_log(other.entries_[row * m + column]);
  rows_.resize(n);
  columns_.resize(n);
  entries_.resize(n * n);
  order_.resize(n * n);
  increments_.assign(other.increments_.begin(),
                     other.increments_.begin() + static_cast<std::ptrdiff_t>(n));
  for (Index k = 0; k < n; ++k) {
    rows_[k] = other.rows_[k + (k >= row)];
    columns_[k] = other.columns_[k + (k >= column)];
    const double* x = &other.entries_[(k + (k >= row)) * m];
    double* kept = entries_.data() + k * n;
    std::copy(x, x + column, kept);
    std::copy(x + column + 1, x + m, kept + column);
    const std::uint16_t* order = &other.order_[(k + (k >= row)) * m];
    std::uint16_t* next = order_.data() + k * n;
    Index place = 0;
    for (Index p = 0; p < m; ++p) {
      // Without a branch: what is not kept is overwritten, except at the end.
      if (place < n) next[place] = static_cast<std::uint16_t>(order[p] - (order[p] > column));
      place += order[p] != column;
    }
  }
}

// By insertion: the order is that of a scaling which was much the same.
void BoundedMatrix::sort_rows() {
  const Index m = size();
  for (Index k = 0; k < m; ++k) {
    const double* x = &entries_[k * m];
    std::uint16_t* order = &order_[k * m];
    for (Index p = 1; p < m; ++p) {
      const std::uint16_t moved = order[p];
      Index place = p;
      for (; place > 0 && x[order[place - 1]] < x[moved]; --place) order[place] = order[place - 1];
      order[place] = moved;
    }
  }
}

double BoundedMatrix::row_factor(Index row) const {
  const Index m = size();
  const double* x = &entries_[row * m];
  double sum = 0;
  if (bound_ == MatchingBound::kHuberLaw) {
    for (Index q = 0; q < m; ++q) sum += x[q];
    return sum > 0 ? huber_law_factor(sum) : 0;
  }
  const std::uint16_t* order = &order_[row * m];
  for (Index p = 0; p < m; ++p) sum += x[order[p]] * increments_[p];
  return sum;
}

// W_kj for each column position, and S_k.
double BoundedMatrix::falling_factors(Index row, double* without) const {
  const Index m = size();
  const double* x = &entries_[row * m];
  if (bound_ == MatchingBound::kHuberLaw) {
    double before = 0, after = 0;  // sums without subtraction
    for (Index q = 0; q < m; ++q) {
      without[q] = before;
      before += x[q];
    }
    for (Index q = m; q-- > 0;) {
      without[q] = huber_law_factor(without[q] + after);
      after += x[q];
    }
    return before > 0 ? huber_law_factor(before) : 0;
  }
  // Those that come after move up by a place.
  const std::uint16_t* order = &order_[row * m];
  double before = 0, after = 0;
  for (Index p = 0; p < m; ++p) {
    without[order[p]] = before;
    before += x[order[p]] * increments_[p];
  }
  for (Index p = m; p-- > 0;) {
    without[order[p]] += after;
    if (p > 0) after += x[order[p]] * increments_[p - 1];
  }
  return before;
}

double BoundedMatrix::log_row_factors() const {
  double sum = 0;
  for (Index k = 0; k < size(); ++k) {
    const double factor = row_factor(k);
    if (factor == 0) return kNothing;
    sum += portable_log(factor);
  }
  return sum;
}

double BoundedMatrix::log_bound() const {
  return log_scale_ + log_row_factors();
}

// How much of the bound's derivative in log x each column has: Σ_k x_kj (γ_p − γ_{p−1}) / S_k. For
// kHuberLaw the shares of plain row sums stand in.
void BoundedMatrix::column_shares(std::vector<double>& shares) const {
  const Index m = size();
  shares.assign(m, 0.0);
  const bool sorted = bound_ == MatchingBound::kSoules;
  for (Index k = 0; k < m; ++k) {
    const double* x = &entries_[k * m];
    const std::uint16_t* order = &order_[k * m];
    double sum = 0;
    for (Index p = 0; p < m; ++p) sum += x[order[p]] * (sorted ? increments_[p] : 1);
    if (sum == 0) continue;
    const double inverse = 1 / sum;
    for (Index p = 0; p < m; ++p) {
      shares[order[p]] += x[order[p]] * (sorted ? increments_[p] : 1) * inverse;
    }
  }
}

void BoundedMatrix::scale_columns(std::span<const double> factors) {
  const Index m = size();
  for (Index k = 0; k < m; ++k) {
    double* x = &entries_[k * m];
    for (Index q = 0; q < m; ++q) x[q] /= factors[q];
  }
  for (const double factor : factors) log_scale_ += portable_log(factor);
}

// The largest entry of each row becomes 1.
void BoundedMatrix::scale_rows() {
  const Index m = size();
  for (Index k = 0; k < m; ++k) {
    double* x = &entries_[k * m];
    const double largest = x[order_[k * m]];
    if (largest == 0 || largest == 1) continue;
    for (Index q = 0; q < m; ++q) x[q] /= largest;
    log_scale_ += portable_log(largest);
  }
}

void BoundedMatrix::improve_scaling(Index iterations) {
  double best = log_bound();
  std::vector<double> best_entries = entries_, shares;
  double best_scale = log_scale_;
  for (Index t = 0; t < iterations && best > kNothing; ++t) {
    column_shares(shares);
    // A column of zeros has no scale: there is no permutation, and any bound will do.
    if (std::find(shares.begin(), shares.end(), 0.0) != shares.end()) break;
    const double step = 1 / (1 + 0.2 * static_cast<double>(t));
    for (double& share : shares) share = portable_exp(step * portable_log(share));
    scale_columns(shares);
    sort_rows();
    scale_rows();
    const double value = log_bound();
    if (value < best) {
      best = value;
      best_entries = entries_;
      best_scale = log_scale_;
    }
  }
  entries_.swap(best_entries);
  log_scale_ = best_scale;
  sort_rows();
}

BoundedMatrix::Split BoundedMatrix::split(std::vector<double>& weights) {
  const Index m = size();
  without_.resize(m * m);
  share_.resize(m * m);
  product_.assign(m, 1.0);
  sum_.assign(m, 0.0);
  for (Index k = 0; k < m; ++k) {
    double* w = &without_[k * m];
    double* y = &share_[k * m];
    const double factor = falling_factors(k, w);
    const double inverse = factor > 0 ? 1 / factor : 0;
    const double* x = &entries_[k * m];
    // (Π W, Σ x Π W) over the rows so far.
    for (Index q = 0; q < m; ++q) {
      w[q] *= inverse;
      y[q] = x[q] * inverse;
      sum_[q] = sum_[q] * w[q] + product_[q] * y[q];
      product_[q] *= w[q];
    }
  }
  const auto least = std::min_element(sum_.begin(), sum_.end());
  const auto column = static_cast<Index>(least - sum_.begin());
  weights.resize(m);
  double before = 1, after = 1;
  for (Index k = 0; k < m; ++k) {
    weights[k] = before * share_[k * m + column];
    before *= without_[k * m + column];
  }
  for (Index k = m; k-- > 0;) {
    weights[k] *= after;
    after *= without_[k * m + column];
  }
  return {column, *least};
}

void BoundedMatrix::relative_entries(std::vector<double>& entries) {
  const Index m = size();
  entries.resize(m * m);
  for (Index k = 0; k < m; ++k) {
    const double factor = row_factor(k);
    for (Index q = 0; q < m; ++q) {
      entries[k * m + q] = factor > 0 ? entries_[k * m + q] / factor : 0;
    }
  }
}

}  // namespace trellis
