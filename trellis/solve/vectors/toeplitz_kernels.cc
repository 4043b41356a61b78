#include "trellis/solve/vectors/toeplitz_kernels.h"

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/toeplitz_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

// `kVectors` vectors of outputs stay in registers while k runs.
template <size_t kVectors, class D>
HWY_INLINE void ToeplitzBlock(D d, const double* HWY_RESTRICT u, size_t n,
                              const double* HWY_RESTRICT c, double* HWY_RESTRICT out) {
  constexpr size_t kLanes = kLanesOf<D>;
  hn::Vec<D> sums[kVectors];
  for (size_t b = 0; b < kVectors; ++b) sums[b] = hn::Zero(d);
  for (size_t k = 0; k < n; ++k) {
    const auto weight = hn::Set(d, u[k]);
    const double* from = c - k;
    for (size_t b = 0; b < kVectors; ++b) {
      sums[b] = hn::Add(sums[b], hn::Mul(weight, hn::LoadU(d, from + b * kLanes)));
    }
  }
  for (size_t b = 0; b < kVectors; ++b) hn::StoreU(sums[b], d, out + b * kLanes);
}

void ToeplitzProduct(const double* HWY_RESTRICT u, size_t n, const double* HWY_RESTRICT c,
                     double* HWY_RESTRICT out, size_t width) {
  const Wide wide;
  constexpr size_t kLanes = kLanesOf<Wide>;
  size_t i = 0;
  for (; i + 8 * kLanes <= width; i += 8 * kLanes) ToeplitzBlock<8>(wide, u, n, c + i, out + i);
  for (; i + 4 * kLanes <= width; i += 4 * kLanes) ToeplitzBlock<4>(wide, u, n, c + i, out + i);
  for (; i + kLanes <= width; i += kLanes) ToeplitzBlock<1>(wide, u, n, c + i, out + i);
  for (; i < width; ++i) ToeplitzBlock<1>(One(), u, n, c + i, out + i);
}

void AddToeplitz(const double* HWY_RESTRICT u, size_t n, const double* HWY_RESTRICT v, size_t width,
                 double* HWY_RESTRICT sums) {
  for (size_t k = 0; k < n; ++k) {
    const double weight = u[k];
    if (weight == 0) continue;
    double* to = sums - k;
    sweep(0, width, [=](auto d, size_t i) HWY_ATTR {
      const auto product = hn::Mul(hn::Set(d, weight), hn::LoadU(d, v + i));
      hn::StoreU(hn::Add(hn::LoadU(d, to + i), product), d, to + i);
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(ToeplitzProduct);
HWY_EXPORT(AddToeplitz);

void toeplitz_product(std::span<const double> u, const double* c, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(ToeplitzProduct)(u.data(), u.size(), c, out.data(), out.size());
}

void add_toeplitz(std::span<const double> u, std::span<const double> v, double* sums) {
  HWY_DYNAMIC_DISPATCH(AddToeplitz)(u.data(), u.size(), v.data(), v.size(), sums);
}

}  // namespace trellis

#endif  // HWY_ONCE
