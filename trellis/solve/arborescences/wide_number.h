// Non-negative numbers with practically unlimited exponents: m · 2^(512 e), with m a double. Sums,
// products and quotients have the relative precision of a double, so that an algorithm without
// subtractions works for weights exp(s) with |s| up to 1e15 as it does for small ones. About five
// times as slow as doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

class WideNumber {
 public:
  WideNumber() = default;  // 0

  // e^x; 0 for −∞. The error is that of x itself, half an ulp.
  static WideNumber exp(double x) {
    if (x == -kInfinity) return {};
    const double units = std::floor(x / (kHigh + kLow) + 0.5);
    const double rest = (x - units * kHigh) - units * kLow;
    return power(portable_exp(rest), static_cast<std::int64_t>(units));
  }
  static WideNumber one() { return power(1, 0); }
  // m · 2^(512 e) for m between 2^−512 and 2^512
  static WideNumber power(double m, std::int64_t e) {
    WideNumber x;
    x.mantissa_ = m;
    x.exponent_ = e;
    x.normalize();
    return x;
  }

  bool zero() const { return mantissa_ == 0; }
  double mantissa() const { return mantissa_; }
  std::int64_t exponent() const { return exponent_; }
  // Its value in units of 2^(512 e), for an e that is not smaller than its own.
  double in_units_of(std::int64_t e) const {
    return e == exponent_ ? mantissa_ : e == exponent_ + 1 ? mantissa_ * kDown : 0;
  }
  double to_double() const {  // where it is not too large for one
    return exponent_ == 1 ? mantissa_ * kUp : in_units_of(0);
  }
  double log() const {
    const auto units = static_cast<double>(exponent_);
    return zero() ? -kInfinity : units * kHigh + (units * kLow + portable_log(mantissa_));
  }

  friend WideNumber operator+(WideNumber a, WideNumber b) {
    if (a.exponent_ < b.exponent_) std::swap(a, b);
    return power(a.mantissa_ + b.in_units_of(a.exponent_), a.exponent_);
  }
  friend WideNumber operator*(WideNumber a, WideNumber b) {
    if (a.zero() || b.zero()) return {};
    return power(a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_);
  }
  friend WideNumber operator/(WideNumber a, WideNumber b) {  // requires b > 0
    if (a.zero()) return {};
    return power(a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_);
  }

 private:
  static constexpr double kUp = 0x1p512, kDown = 0x1p-512;
  static constexpr double kLargest = 0x1p256, kSmallest = 0x1p-256;
  static constexpr std::int64_t kZero = -(std::int64_t{1} << 62);  // below that of any other
  // 512 log 2 in two pieces, the first with zero bits at its end: its product with an exponent of
  // up to 2^21 is exact.
  static constexpr double kHigh = 512 * 6.931471803691238e-01;
  static constexpr double kLow = 512 * 1.9082149292705877e-10;

  void normalize() {
    if (mantissa_ >= kLargest) {
      mantissa_ *= kDown;
      ++exponent_;
    } else if (mantissa_ < kSmallest && mantissa_ != 0) {
      mantissa_ *= kUp;
      --exponent_;
    }
  }

  double mantissa_ = 0;  // 0, or at least 2^−256 and below 2^256
  std::int64_t exponent_ = kZero;
};

}  // namespace trellis
