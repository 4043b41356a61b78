// The two semirings of a forward step over Highway vectors, compiled once for each target (hence no
// #pragma once): sums of products, and maxima of sums (Viterbi).

#if defined(TRELLIS_SOLVE_SEMIRINGS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRELLIS_SOLVE_SEMIRINGS_INL_H_
#undef TRELLIS_SOLVE_SEMIRINGS_INL_H_
#else
#define TRELLIS_SOLVE_SEMIRINGS_INL_H_
#endif

#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

struct SumProduct {
  template <class D>
  static HWY_INLINE hn::Vec<D> zero(D d) {
    return hn::Zero(d);
  }
  template <class V>
  static HWY_INLINE V add(V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  static HWY_INLINE V multiply(V a, V b) {
    return hn::Mul(a, b);
  }
};

struct MaxPlus {
  template <class D>
  static HWY_INLINE hn::Vec<D> zero(D d) {
    return hn::Set(d, -kInfinity);
  }
  template <class V>
  static HWY_INLINE V add(V a, V b) {
    return hn::Max(a, b);
  }
  template <class V>
  static HWY_INLINE V multiply(V a, V b) {
    return hn::Add(a, b);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#endif
