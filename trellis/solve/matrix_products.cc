#include "trellis/solve/matrix_products.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "trellis/solve/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/matrix_products.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

// `count` slices of eight rows; values may be null: all are 1.
void MultiplySlices(const uint32_t* ids, const float* values, size_t count, size_t length,
                    const double* theta, const uint32_t* order, double* s) {
  const Wide d;
  const hn::Rebind<int64_t, Wide> d_wide_id;
  const hn::Rebind<int32_t, Wide> d_id;
  const hn::Rebind<float, Wide> d_value;
  HWY_ALIGN double sums[kOctet];
  for (size_t slice = 0; slice < count; ++slice, order += kOctet) {
    Octet octet = Octet::zero();
    for (size_t k = 0; k < length; ++k) {
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
    for (size_t lane = 0; lane < kOctet; ++lane) s[order[lane]] = sums[lane];
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

// Column by column; the rows that do not fill a slice one after another. Returns the end.
template <class T, class Of>
T* interleave(std::span<const std::uint32_t> run, Index length, const Of& row_of, T* out) {
  const Index whole = run.size() / kSlice * kSlice;
  for (Index begin = 0; begin < whole; begin += kSlice, out += kSlice * length) {
    for (Index lane = 0; lane < kSlice; ++lane) {
      const std::span<const T> row = row_of(run[begin + lane]);
      for (Index k = 0; k < length; ++k) out[k * kSlice + lane] = row[k];
    }
  }
  for (const std::uint32_t row : run.subspan(whole)) {
    const std::span<const T> left = row_of(row);
    out = std::copy(left.begin(), left.end(), out);
  }
  return out;
}

bool all_ones(std::span<const SparseRow> rows) {
  return std::all_of(rows.begin(), rows.end(), [](const SparseRow& row) {
    return std::all_of(row.values.begin(), row.values.end(), [](float x) { return x == 1; });
  });
}

double multiply_row(const std::uint32_t* ids, const float* values, Index length,
                    const double* theta) {
  double sum = 0;
  for (Index k = 0; k < length; ++k) {
    sum += values == nullptr ? theta[ids[k]] : theta[ids[k]] * static_cast<double>(values[k]);
  }
  return sum;
}

}  // namespace

SlicedRows::SlicedRows(Index width, std::span<const SparseRow> rows) : width_(width) {
  order_.resize(rows.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rows[a].ids.size() < rows[b].ids.size();
  });
  Index stored = 0;
  for (const SparseRow& row : rows) stored += row.ids.size();
  ids_.resize(stored);
  if (!all_ones(rows)) values_.resize(stored);
  std::uint32_t* ids = ids_.data();
  float* values = values_.data();
  for (Index begin = 0, end = 0; begin < rows.size(); begin = end) {
    const Index length = rows[order_[begin]].ids.size();
    while (end < rows.size() && rows[order_[end]].ids.size() == length) ++end;
    runs_.push_back({length, end - begin});
    const auto run = std::span<const std::uint32_t>(order_).subspan(begin, end - begin);
    ids = interleave(
        run, length, [&](std::uint32_t row) { return rows[row].ids; }, ids);
    if (values_.empty()) continue;
    values = interleave(
        run, length, [&](std::uint32_t row) { return rows[row].values; }, values);
  }
}

void SlicedRows::multiply(std::span<const double> theta, std::span<double> s) const {
  assert(theta.size() == width_ && s.size() == num_rows());
  const std::uint32_t* ids = ids_.data();
  const std::uint32_t* order = order_.data();
  const float* values = values_.empty() ? nullptr : values_.data();
  const auto advance = [&](Index rows, Index length) {
    ids += rows * length;
    if (values != nullptr) values += rows * length;
    order += rows;
  };
  for (const Run& run : runs_) {
    const Index slices = run.count / kSlice;
    HWY_DYNAMIC_DISPATCH(MultiplySlices)
    (ids, values, slices, run.length, theta.data(), order, s.data());
    advance(slices * kSlice, run.length);
    for (Index left = run.count % kSlice; left > 0; --left) {
      s[*order] = multiply_row(ids, values, run.length, theta.data());
      advance(1, run.length);
    }
  }
}

void multiply_dense(std::span<const float> rows, std::span<const double> theta,
                    std::span<double> s) {
  assert(rows.size() == theta.size() * s.size());
  HWY_DYNAMIC_DISPATCH(MultiplyDense)
  (rows.data(), theta.data(), theta.size(), s.size(), s.data());
}

}  // namespace trellis

#endif  // HWY_ONCE
