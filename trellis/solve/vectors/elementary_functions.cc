#include "trellis/solve/vectors/elementary_functions.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "trellis/base/types.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

__extension__ using WideUnsigned = unsigned __int128;
__extension__ using WideSigned = __int128;

constexpr double kQuarterTurn = 0.7853981633974483;  // π/4

// 64 zeros, and the first 1216 bits of 2/π behind the point.
constexpr std::uint64_t kTwoOverPi[] = {
    0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041,
    0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB};

// x = (4 n + quarters) π/2 + rest with |rest| ≤ π/4.
struct Angle {
  int quarters;
  double rest;
};

// Payne & Hanek (1983): of the digits of 2/π only those matter that neither make x · 2/π a multiple
// of 4 nor lie too far behind the point. With x = m 2^e, m < 2^53, the 192 bits from place e − 1 on
// leave an error of 2^−137, and no double comes closer than 2^−62 to a multiple of π/2. Requires a
// finite x ≥ π/4.
Angle reduce_angle(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t m = (bits & 0x000FFFFFFFFFFFFF) | 0x0010000000000000;
  const auto skipped = static_cast<int>(bits >> 52) - 1075 + 62;
  const int shift = skipped % 64;
  const std::uint64_t* const digits = kTwoOverPi + skipped / 64;
  const auto window = [&](int k) {
    return shift == 0 ? digits[k] : digits[k] << shift | digits[k + 1] >> (64 - shift);
  };
  const WideUnsigned low = static_cast<WideUnsigned>(m) * window(2);
  const WideUnsigned middle =
      static_cast<WideUnsigned>(m) * window(1) + static_cast<std::uint64_t>(low >> 64);
  const std::uint64_t high = m * window(0) + static_cast<std::uint64_t>(middle >> 64);
  // The product modulo 4: two bits of quarters, and what is left of one.
  const std::uint64_t below = high << 2 | static_cast<std::uint64_t>(middle) >> 62;
  const std::uint64_t rest =
      static_cast<std::uint64_t>(middle) << 2 | static_cast<std::uint64_t>(low) >> 62;
  const auto fraction = static_cast<WideSigned>(static_cast<WideUnsigned>(below) << 64 | rest);
  return {static_cast<int>(high >> 62) + (fraction < 0 ? 1 : 0),
          static_cast<double>(fraction) * 0x1p-128 * (2 * kQuarterTurn)};
}

// Taylor's series for |x| ≤ π/4, to the precision of a double.
double sine_near_zero(double x) {
  const double square = x * x;
  double series = 0;
  for (int k = 17; k >= 3; k -= 2) series = (1 + series) * (-square / (k * (k - 1)));
  return x + x * series;
}

double cosine_near_zero(double x) {
  const double square = x * x;
  double series = 0;
  for (int k = 18; k >= 4; k -= 2) series = (1 + series) * (-square / (k * (k - 1)));
  return 1 - (square / 2) * (1 + series);
}

// atan(k/8), and what is left of it beyond a double.
constexpr double kArcs[][2] = {{0.0, 0.0},
                               {0.12435499454676144, -3.1253241424539383e-18},
                               {0.24497866312686414, 1.0698755618734451e-17},
                               {0.35877067027057225, -2.4623815582638635e-17},
                               {0.4636476090008061, 2.2698777452961687e-17},
                               {0.5585993153435624, -5.4556305485916264e-18},
                               {0.6435011087932844, 1.5834785051444286e-17},
                               {0.7188299996216245, -2.1478388444456983e-17},
                               {0.7853981633974483, 3.061616997868383e-17}};

// atan t for 0 ≤ t ≤ 1: atan c + atan((t − c) / (1 + c t)) with the nearest c = k/8, so that t − c
// is exact and Taylor's series short.
double arc_tangent(double t) {
  const auto k = static_cast<Index>(std::floor(8 * t + 0.5));
  const double c = static_cast<double>(k) / 8;
  const double r = (t - c) / (1 + c * t), square = r * r;
  double series = 0;
  for (int n = 15; n >= 3; n -= 2) series = square * (1.0 / n - series);
  return kArcs[k][0] + (kArcs[k][1] + (r - r * series));
}

}  // namespace

double portable_log2(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  if (m < std::numbers::sqrt2 / 2) m *= 2, exponent -= 1;
  return exponent + portable_log(m) * std::numbers::log2e;
}

double portable_cos(double x) {
  x = std::abs(x);
  if (x <= kQuarterTurn) return cosine_near_zero(x);
  const Angle angle = reduce_angle(x);
  switch (angle.quarters % 4) {
    case 0:
      return cosine_near_zero(angle.rest);
    case 1:
      return -sine_near_zero(angle.rest);
    case 2:
      return -cosine_near_zero(angle.rest);
    default:
      return sine_near_zero(angle.rest);
  }
}

double portable_atan2(double y, double x) {
  constexpr double kHalfPiLow = 6.123233995736766e-17;  // π/2 less the nearest double
  double across = std::abs(x), up = std::abs(y);
  const bool steep = up > across;
  if (steep) std::swap(across, up);
  const double arc = across == 0 ? 0 : arc_tangent(up / across);
  const double angle = steep ? 2 * kQuarterTurn + (kHalfPiLow + (std::signbit(x) ? arc : -arc))
                       : std::signbit(x) ? 4 * kQuarterTurn + (2 * kHalfPiLow - arc)
                                         : arc;
  return std::copysign(angle, y);
}

}  // namespace trellis
