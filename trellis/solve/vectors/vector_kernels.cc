#include "trellis/solve/vectors/vector_kernels.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/vector_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

double Dot(const double* x, const double* y, size_t n) {
  return fixed_sum(n, [=](auto d, size_t i)
                          HWY_ATTR { return hn::Mul(hn::LoadU(d, x + i), hn::LoadU(d, y + i)); });
}

double Sum(const double* x, size_t n) {
  return fixed_sum(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, x + i); });
}

void Axpy(double a, const double* x, double* y, size_t n) {
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    const auto product = hn::Mul(hn::Set(d, a), hn::LoadU(d, x + i));
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), product), d, y + i);
  });
}

void AxpyFloats(double a, const float* x, double* y, size_t n) {
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    const auto widened = hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), x + i));
    const auto product = hn::Mul(hn::Set(d, a), widened);
    hn::StoreU(hn::Add(hn::LoadU(d, y + i), product), d, y + i);
  });
}

void Scale(double a, double* x, size_t n) {
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    hn::StoreU(hn::Mul(hn::Set(d, a), hn::LoadU(d, x + i)), d, x + i);
  });
}

double MaxValue(const double* x, size_t n) {
  return fixed_max(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, x + i); });
}

void ExpShifted(const double* x, double shift, double* out, size_t n) {
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    hn::StoreU(exp(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, shift))), d, out + i);
  });
}

double ExpOne(double x) {
  return hn::GetLane(exp(One(), hn::Set(One(), x)));
}

double LogOne(double x) {
  return hn::GetLane(log(One(), hn::Set(One(), x)));
}

double SumXLogX(const double* x, size_t n) {
  return fixed_sum(n, [=](auto d, size_t i) HWY_ATTR {
    const auto value = hn::LoadU(d, x + i);
    const auto term = hn::Mul(value, log(d, value));
    return hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), term);
  });
}

void ExpInPlace(double* x, size_t n) {
  sweep(0, n,
        [=](auto d, size_t i) HWY_ATTR { hn::StoreU(exp(d, hn::LoadU(d, x + i)), d, x + i); });
}

// Subtracts the largest value; returns the spread of the finite ones.
double ShiftRow(const double* x, size_t n, double* out, double& shift) {
  const double largest = MaxValue(x, n);
  shift = largest == -kInfinity ? 0.0 : largest;
  const double kept = shift;
  sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
    hn::StoreU(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, kept)), d, out + i);
  });
  const double spread = fixed_max(n, [=](auto d, size_t i) HWY_ATTR {
    const auto value = hn::LoadU(d, out + i);
    return hn::IfThenZeroElse(hn::Eq(value, hn::Set(d, -kInfinity)), hn::Neg(value));
  });
  return spread > 0 ? spread : 0;
}

double ExpRows(const double* x, size_t rows, size_t width, size_t stride, double* out,
               double* shifts) {
  double spread = 0;
  for (size_t r = 0; r < rows; ++r) {
    spread = HWY_MAX(spread, ShiftRow(x + r * stride, width, out + r * stride, shifts[r]));
    if (stride != width) ExpInPlace(out + r * stride, width);
  }
  // Rows without gaps are one long row, with one ragged end.
  if (stride == width) ExpInPlace(out, rows * width);
  return spread;
}

// exp(x − its largest value), and their sum.
double ExpSum(const double* x, double largest, double* out, size_t n) {
  ExpShifted(x, largest, out, n);
  return Sum(out, n);
}

double SumExp(const double* x, double largest, size_t n) {
  return fixed_sum(n, [=](auto d, size_t i) HWY_ATTR {
    return exp(d, hn::Sub(hn::LoadU(d, x + i), hn::Set(d, largest)));
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trellis {

HWY_EXPORT(Dot);
HWY_EXPORT(Sum);
HWY_EXPORT(Axpy);
HWY_EXPORT(AxpyFloats);
HWY_EXPORT(Scale);
HWY_EXPORT(MaxValue);
HWY_EXPORT(SumXLogX);
HWY_EXPORT(ExpShifted);
HWY_EXPORT(ExpOne);
HWY_EXPORT(LogOne);
HWY_EXPORT(ExpRows);
HWY_EXPORT(ExpSum);
HWY_EXPORT(SumExp);

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

}  // namespace

double dot(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  return HWY_DYNAMIC_DISPATCH(Dot)(x.data(), y.data(), x.size());
}

double squared_norm(std::span<const double> x) {
  return dot(x, x);
}

double sum(std::span<const double> x) {
  return HWY_DYNAMIC_DISPATCH(Sum)(x.data(), x.size());
}

void axpy(double a, std::span<const double> x, std::span<double> y) {
  assert(x.size() == y.size());
  HWY_DYNAMIC_DISPATCH(Axpy)(a, x.data(), y.data(), x.size());
}

void axpy(double a, std::span<const float> x, std::span<double> y) {
  assert(x.size() == y.size());
  HWY_DYNAMIC_DISPATCH(AxpyFloats)(a, x.data(), y.data(), x.size());
}

void scale(double a, std::span<double> x) {
  HWY_DYNAMIC_DISPATCH(Scale)(a, x.data(), x.size());
}

double max_value(std::span<const double> x) {
  return HWY_DYNAMIC_DISPATCH(MaxValue)(x.data(), x.size());
}
double sum_x_log_x(std::span<const double> x) {
  return HWY_DYNAMIC_DISPATCH(SumXLogX)(x.data(), x.size());
}

double portable_exp(double x) {
  return HWY_DYNAMIC_DISPATCH(ExpOne)(x);
}

double portable_log(double x) {
  return HWY_DYNAMIC_DISPATCH(LogOne)(x);
}

// The rounding error of 1 + x is taken out again by the last factor (Kahan).
double portable_log1p(double x) {
  const double sum = 1 + x;
  return sum == 1 ? x : portable_log(sum) * (x / (sum - 1));
}

void exp_shifted(std::span<const double> x, double shift, std::span<double> out) {
  assert(x.size() == out.size());
  HWY_DYNAMIC_DISPATCH(ExpShifted)(x.data(), shift, out.data(), x.size());
}

double exp_rows(const double* x, Index rows, Index width, Index stride, double* out,
                double* shifts) {
  return HWY_DYNAMIC_DISPATCH(ExpRows)(x, rows, width, stride, out, shifts);
}

double log_sum_exp(std::span<const double> x) {
  const double largest = max_value(x);
  if (largest == kMinusInfinity) return largest;
  return largest + portable_log(HWY_DYNAMIC_DISPATCH(SumExp)(x.data(), largest, x.size()));
}

double softmax(std::span<const double> x, std::span<double> p) {
  assert(x.size() == p.size());
  const double largest = max_value(x);
  if (largest == kMinusInfinity) {
    std::fill(p.begin(), p.end(), 0.0);
    return largest;
  }
  const double total = HWY_DYNAMIC_DISPATCH(ExpSum)(x.data(), largest, p.data(), x.size());
  scale(1 / total, p);
  return largest + portable_log(total);
}

// With e_i = exp(x_i − max x), E = Σ e: H = log E + Σ (e_i / E)(max x − x_i).
double softmax_entropy(std::span<const double> x) {
  const double largest = max_value(x);
  if (largest == kMinusInfinity) return 0;
  const auto top = static_cast<Index>(std::find(x.begin(), x.end(), largest) - x.begin());
  double rest = 0, slope = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double weight = i == top ? 0.0 : portable_exp(x[i] - largest);
    rest += weight;
    if (weight > 0) slope += weight * (largest - x[i]);
  }
  return portable_log1p(rest) + slope / (1 + rest);
}

}  // namespace trellis
#endif  // HWY_ONCE
