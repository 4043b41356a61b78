// exp, log and sums of a fixed shape on Highway vectors, compiled once for each target (hence no
// #pragma once). Every operation is an IEEE operation on each lane: no fused multiply-add, no
// approximate reciprocal. vector_kernels.h states what the results are.

#if defined(TRELLIS_SOLVE_VECTOR_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRELLIS_SOLVE_VECTOR_MATH_INL_H_
#undef TRELLIS_SOLVE_VECTOR_MATH_INL_H_
#else
#define TRELLIS_SOLVE_VECTOR_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kOctet = 8;
template <class D>
constexpr size_t kLanesOf = hn::MaxLanes(D());
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Wide = hn::CappedTag<double, kOctet>;
using One = hn::CappedTag<double, 1>;

// log 2 in two pieces, the first with 21 zero bits at its end: its product with an exponent is
// exact.
constexpr double kLog2High = 6.931471803691238e-01;
constexpr double kLog2Low = 1.9082149292705877e-10;
constexpr double kRound = 0x1.8p52;  // added, it leaves the nearest integer in the low bits

// e^x = 2^n e^r with |r| ≤ log(2)/2 (Cody & Waite 1980), e^r = 1 + r + r² P(r). The coefficients
// are Chebyshev's fit of (e^r − 1 − r) / r², with an error of 0.07 ulp in e^r.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp(D d, V x) {
  const hn::Rebind<uint64_t, D> du;  // its sums wrap around
  const V shifted = hn::Add(hn::Mul(x, hn::Set(d, 1.4426950408889634)), hn::Set(d, kRound));
  const V n = hn::Sub(shifted, hn::Set(d, kRound));
  const V r =
      hn::Sub(hn::Sub(x, hn::Mul(n, hn::Set(d, kLog2High))), hn::Mul(n, hn::Set(d, kLog2Low)));
  V p = hn::Set(d, 2.510038549551032e-08);
  for (const double c : {2.7620088445409746e-07, 2.7557268459997064e-06, 2.4801521295954376e-05,
                         0.00019841269863053618, 0.0013888888917213717, 0.008333333333330062,
                         0.04166666666662413, 0.16666666666666669, 0.5000000000000001}) {
    p = hn::Add(hn::Mul(p, r), hn::Set(d, c));
  }
  const V y = hn::Add(hn::Set(d, 1.0), hn::Add(r, hn::Mul(hn::Mul(r, r), p)));
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(du, shifted));
  const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(du, y), exponent));
  const V top =
      hn::IfThenElse(hn::Gt(x, hn::Set(d, 709.782712893384)), hn::Set(d, kInfinity), scaled);
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -708.0)), top);
}

// log x = k log 2 + log(1+f), √½ ≤ 1+f < √2, and with s = f / (2+f), z = s²:
// log(1+f) = 2 artanh s = f − f²/2 + s (f²/2 + z R(z)), where R is fitted as above.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V log(D d, V x) {
  const hn::Rebind<int64_t, D> di;
  const auto bits = hn::BitCast(di, x);
  const auto k = hn::ShiftRight<52>(hn::Sub(bits, hn::Set(di, int64_t{0x3fe6a09e667f3bcd})));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<52>(k))), hn::Set(d, 1.0));
  const V exponent =
      hn::Sub(hn::BitCast(d, hn::Add(k, hn::BitCast(di, hn::Set(d, kRound)))), hn::Set(d, kRound));
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0)));
  const V z = hn::Mul(s, s);
  V p = hn::Set(d, 0.14616721179861816);
  for (const double c : {0.15331699633543858, 0.18182889786191042, 0.2222221112572281,
                         0.28571428626031065, 0.3999999999989938, 0.666666666666667}) {
    p = hn::Add(hn::Mul(p, z), hn::Set(d, c));
  }
  const V half_square = hn::Mul(hn::Mul(f, f), hn::Set(d, 0.5));
  const V rest = hn::Add(hn::Mul(s, hn::Add(half_square, hn::Mul(z, p))),
                         hn::Mul(exponent, hn::Set(d, kLog2Low)));
  const V y =
      hn::Add(hn::Mul(exponent, hn::Set(d, kLog2High)), hn::Sub(f, hn::Sub(half_square, rest)));
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -kInfinity), y);
}

// The lanes of one vector, halved until one is left: lane i and lane i + N/2 together.
template <class D, class V = hn::Vec<D>>
HWY_INLINE double add_lanes(D d, V v) {
#if HWY_TARGET != HWY_SCALAR  // whose vectors have one lane, and no halves
  if constexpr (kLanesOf < D >> 1) {
    const hn::Half<D> half;
    return add_lanes(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
  static_cast<void>(d);
  return hn::GetLane(v);
}

// Eight partial sums, in as many vectors as that takes.
struct Octet {
  static constexpr size_t kLanes = kLanesOf<Wide>;
  static constexpr size_t kParts = kOctet / kLanes;
  hn::Vec<Wide> part[kParts];

  // Written out: gcc compiles a constructor of its own making without the target's options, and
  // then cannot inline that of a NEON vector into it.
  HWY_INLINE Octet() {}  // NOLINT(modernize-use-equals-default)

  HWY_INLINE static Octet zero() {
    Octet octet;
    for (size_t k = 0; k < kParts; ++k) octet.part[k] = hn::Zero(Wide());
    return octet;
  }
  HWY_INLINE double sum() const {
    Octet folded = *this;
    for (size_t parts = kParts / 2; parts > 0; parts /= 2) {
      for (size_t k = 0; k < parts; ++k) {
        folded.part[k] = hn::Add(folded.part[k], folded.part[k + parts]);
      }
    }
    return add_lanes(Wide(), folded.part[0]);
  }
};

// Zero in the first `count` lanes of part k of an octet, v in the others.
HWY_INLINE hn::Vec<Wide> drop_lanes(size_t k, size_t count, hn::Vec<Wide> v) {
  const Wide d;
  const auto lane = hn::Iota(d, static_cast<double>(k * Octet::kLanes));
  return hn::IfThenElseZero(hn::Ge(lane, hn::Set(d, static_cast<double>(count))), v);
}

// Σ_{i<n} of the terms, where term(d, i) is the vector of those from i on.
template <class Term>
HWY_INLINE double fixed_sum(size_t n, const Term& term) {
  if (n < kOctet) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += hn::GetLane(term(One(), i));
    return sum;
  }
  const Wide d;
  Octet octet = Octet::zero();
  size_t i = 0;
  for (; i + kOctet <= n; i += kOctet) {
    for (size_t k = 0; k < Octet::kParts; ++k) {
      octet.part[k] = hn::Add(octet.part[k], term(d, i + k * Octet::kLanes));
    }
  }
  if (i < n) {
    const size_t begin = n - kOctet;
    for (size_t k = 0; k < Octet::kParts; ++k) {
      const hn::Vec<Wide> last = drop_lanes(k, i - begin, term(d, begin + k * Octet::kLanes));
      octet.part[k] = hn::Add(octet.part[k], last);
    }
  }
  return octet.sum();
}

// body(d, i) for vectors that cover [begin, n) one after another, with narrower ones at the end.
template <size_t kWidth = kOctet, class Body>
HWY_INLINE void sweep(size_t begin, size_t n, const Body& body) {
  const hn::CappedTag<double, kWidth> d;
  constexpr size_t kLanes = kLanesOf<decltype(d)>;
  for (; begin + kLanes <= n; begin += kLanes) body(d, begin);
  if constexpr (kLanes > 1) sweep<kLanes / 2>(begin, n, body);
}

// max_{i<n}, −∞ where n = 0; term as for fixed_sum. A maximum does not depend on its order.
template <class Term>
HWY_INLINE double fixed_max(size_t n, const Term& term) {
  const Wide d;
  constexpr size_t kLanes = Octet::kLanes;
  if (n < kLanes) {
    double largest = -kInfinity;
    for (size_t i = 0; i < n; ++i) {
      const double value = hn::GetLane(term(One(), i));
      largest = value > largest ? value : largest;
    }
    return largest;
  }
  hn::Vec<Wide> largest = term(d, n - kLanes);
  for (size_t i = 0; i + kLanes < n; i += kLanes) largest = hn::Max(largest, term(d, i));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#endif  // TRELLIS_SOLVE_VECTOR_MATH_INL_H_
