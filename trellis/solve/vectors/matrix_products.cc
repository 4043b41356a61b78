#include "trellis/solve/vectors/matrix_products.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/matrix_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

double add_row(const uint32_t* ids, const float* values, size_t length, const double* theta,
               double sum) {
  for (size_t k = 0; k < length; ++k) {
    sum += values == nullptr ? theta[ids[k]] : theta[ids[k]] * static_cast<double>(values[k]);
  }
  return sum;
}

// values may be null: then all are 1. The rows that do not fill a slice are the last ones.
void MultiplySlices(const uint32_t* ids, const float* values, const uint32_t* lengths,
                    const uint32_t* order, size_t num_rows, const double* theta, double* s) {
  const Wide d;
  const hn::Rebind<int64_t, Wide> d_wide_id;
  const hn::Rebind<int32_t, Wide> d_id;
  const hn::Rebind<float, Wide> d_value;
  HWY_ALIGN double sums[kOctet];
  size_t row = 0;
  for (; row + kOctet <= num_rows; row += kOctet) {
    const size_t common = lengths[row];
    Octet octet = Octet::zero();
    for (size_t k = 0; k < common; ++k) {
      for (size_t part = 0; part < Octet::kParts; ++part) {
        const auto narrow = hn::LoadU(d_id, reinterpret_cast<const int32_t*>(ids));
        auto term = hn::GatherIndex(d, theta, hn::PromoteTo(d_wide_id, narrow));
        if (values != nullptr) {
          term = hn::Mul(term, hn::PromoteTo(d, hn::LoadU(d_value, values)));
          values += Octet::kLanes;
        }
        octet.part[part] = hn::Add(octet.part[part], term);
        ids += Octet::kLanes;
      }
    }
    for (size_t part = 0; part < Octet::kParts; ++part) {
      hn::Store(octet.part[part], d, sums + part * Octet::kLanes);
    }
    for (size_t lane = 0; lane < kOctet; ++lane) {
      const size_t more = lengths[row + lane] - common;
      s[order[row + lane]] = add_row(ids, values, more, theta, sums[lane]);
      ids += more;
      if (values != nullptr) values += more;
    }
  }
  for (; row < num_rows; ++row) {
    s[order[row]] = add_row(ids, values, lengths[row], theta, 0);
    ids += lengths[row];
    if (values != nullptr) values += lengths[row];
  }
}

void MultiplyDense(const float* rows, const double* theta, size_t width, size_t count, double* s) {
  for (size_t v = 0; v < count; ++v) {
    const float* x = rows + v * width;
    s[v] = fixed_sum(width, [=](auto d, size_t k) HWY_ATTR {
      const hn::Rebind<float, decltype(d)> d_value;
      return hn::Mul(hn::PromoteTo(d, hn::LoadU(d_value, x + k)), hn::LoadU(d, theta + k));
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(MultiplySlices);
HWY_EXPORT(MultiplyDense);

namespace {

constexpr Index kSlice = 8;

// Values in the order that MultiplySlices expects.
template <class T, class Of>
void interleave(std::span<const std::uint32_t> order, const Of& row_of, std::vector<T>& stored) {
  T* out = stored.data();
  const Index whole = order.size() / kSlice * kSlice;
  for (Index begin = 0; begin < whole; begin += kSlice) {
    const Index common = row_of(order[begin]).size();
    T* tail = out + kSlice * common;
    for (Index lane = 0; lane < kSlice; ++lane) {
      const std::span<const T> row = row_of(order[begin + lane]);
      for (Index k = 0; k < common; ++k) out[k * kSlice + lane] = row[k];
      tail = std::copy(row.begin() + static_cast<std::ptrdiff_t>(common), row.end(), tail);
    }
    out = tail;
  }
  for (const std::uint32_t row : order.subspan(whole)) {
    const std::span<const T> left = row_of(row);
    out = std::copy(left.begin(), left.end(), out);
  }
}

bool all_ones(std::span<const SparseRow> rows) {
  return std::all_of(rows.begin(), rows.end(), [](const SparseRow& row) {
    return std::all_of(row.values.begin(), row.values.end(), [](float x) { return x == 1; });
  });
}

}  // namespace

SlicedRows::SlicedRows(Index width, std::span<const SparseRow> rows) : width_(width) {
  order_.resize(rows.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows[a].ids.size() < rows[b].ids.size();
  });
  Index stored = 0;
  for (const std::uint32_t row : order_) {
    lengths_.push_back(static_cast<std::uint32_t>(rows[row].ids.size()));
    stored += rows[row].ids.size();
  }
  ids_.resize(stored);
  interleave(
      order_, [&](std::uint32_t row) { return rows[row].ids; }, ids_);
  if (all_ones(rows)) return;
  values_.resize(stored);
  interleave(
      order_, [&](std::uint32_t row) { return rows[row].values; }, values_);
}

void SlicedRows::multiply(std::span<const double> theta, std::span<double> s) const {
  assert(theta.size() == width_ && s.size() == num_rows());
  const float* values = values_.empty() ? nullptr : values_.data();
  HWY_DYNAMIC_DISPATCH(MultiplySlices)
  (ids_.data(), values, lengths_.data(), order_.data(), order_.size(), theta.data(), s.data());
}

void multiply_dense(std::span<const float> rows, std::span<const double> theta,
                    std::span<double> s) {
  assert(rows.size() == theta.size() * s.size());
  HWY_DYNAMIC_DISPATCH(MultiplyDense)
  (rows.data(), theta.data(), theta.size(), s.size(), s.data());
}

}  // namespace trellis

#endif  // HWY_ONCE
