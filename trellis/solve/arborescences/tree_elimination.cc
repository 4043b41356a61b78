#include "trellis/solve/arborescences/tree_elimination.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/arborescences/tree_elimination.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/arborescences/tree_elimination-inl.h"
#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

constexpr double kTiny = 1e-100, kLarge = 1e100;

struct Doubles {
  using Number = double;

  static HWY_INLINE double one() { return 1; }
  static HWY_INLINE double sum(const double* x, size_t n) {
    return fixed_sum(n, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, x + i); });
  }
  template <size_t kCount>
  struct Multiples {  // by value, so that no store can be taken to change them
    double f[kCount];
    const double* x[kCount];
  };
  template <size_t kCount>
  static HWY_INLINE void add_multiples(const double* f, const double* const* x, size_t n,
                                       double* y) {
    Multiples<kCount> multiples;
    std::copy_n(f, kCount, multiples.f);
    std::copy_n(x, kCount, multiples.x);
    sweep(0, n, [=](auto d, size_t i) HWY_ATTR {
      auto sum = hn::LoadU(d, y + i);
      for (size_t t = 0; t < kCount; ++t) {
        sum = hn::Add(sum, hn::Mul(hn::Set(d, multiples.f[t]), hn::LoadU(d, multiples.x[t] + i)));
      }
      hn::StoreU(sum, d, y + i);
    });
  }

  // What a tile of the row out is made from.
  struct Terms {
    const double* c;
    size_t count;
    const double* x;
    size_t stride;
    double root;
    const double* visits;
    double inverse;
    double* out;
  };
  template <size_t kTile, class D>
  static HWY_INLINE void combine_tile(D d, const Terms& terms, size_t i) {
    constexpr size_t kLanes = kLanesOf<D>;
    hn::Vec<D> sums[kTile];
    const auto root = hn::Set(d, terms.root);
    for (size_t t = 0; t < kTile; ++t) {
      sums[t] = hn::Mul(root, hn::LoadU(d, terms.visits + i + t * kLanes));
    }
    const double* x = terms.x + i;
    for (size_t j = 0; j < terms.count; ++j, x += terms.stride) {
      const auto c = hn::Set(d, terms.c[j]);
      for (size_t t = 0; t < kTile; ++t) {
        sums[t] = hn::Add(sums[t], hn::Mul(c, hn::LoadU(d, x + t * kLanes)));
      }
    }
    const auto inverse = hn::Set(d, terms.inverse);
    for (size_t t = 0; t < kTile; ++t) {
      hn::StoreU(hn::Mul(sums[t], inverse), d, terms.out + i + t * kLanes);
    }
  }
  static HWY_INLINE void combine(const double* c, size_t count, const double* x, size_t stride,
                                 double root, const double* visits, double pivot, double* out,
                                 size_t width) {
    const Terms terms{c, count, x, stride, root, visits, 1 / pivot, out};
    const Terms* all = &terms;
    constexpr size_t kLanes = Octet::kLanes;
    size_t i = 0;
    for (; i + 4 * kLanes <= width; i += 4 * kLanes) combine_tile<4>(Wide(), terms, i);
    for (; i + 2 * kLanes <= width; i += 2 * kLanes) combine_tile<2>(Wide(), terms, i);
    sweep(i, width, [=](auto d, size_t at) HWY_ATTR { combine_tile<1>(d, *all, at); });
  }

  static HWY_INLINE bool keep(double d, double& share) {
    share *= HWY_MIN(1.0, d);
    return share >= kTiny;
  }
  static HWY_INLINE bool keep_last(double d, double share) { return keep(d, share) && d <= kLarge; }
};

struct WideNumbers {
  using Number = WideNumber;

  static WideNumber one() { return WideNumber::one(); }
  static WideNumber sum(const WideNumber* x, size_t n) {
    WideNumber sum;
    for (size_t i = 0; i < n; ++i) sum = sum + x[i];
    return sum;
  }
  template <size_t kCount>
  static void add_multiples(const WideNumber* f, const WideNumber* const* x, size_t n,
                            WideNumber* y) {
    for (size_t t = 0; t < kCount; ++t) {
      if (f[t].zero()) continue;
      for (size_t i = 0; i < n; ++i) y[i] = y[i] + f[t] * x[t][i];
    }
  }
  static void combine(const WideNumber* c, size_t count, const WideNumber* x, size_t stride,
                      WideNumber root, const WideNumber* visits, WideNumber pivot, WideNumber* out,
                      size_t width) {
    for (size_t i = 0; i < width; ++i) out[i] = root * visits[i];
    for (size_t j = 0; j < count; ++j) {
      const WideNumber* row = x + j * stride;
      add_multiples<1>(c + j, &row, width, out);
    }
    for (size_t i = 0; i < width; ++i) out[i] = out[i] / pivot;
  }
  static bool keep(WideNumber d, WideNumber&) { return !d.zero(); }
  static bool keep_last(WideNumber d, WideNumber) { return !d.zero(); }
};

template <class Number>
Square<Number> whole(TreeMatrix<Number>& matrix) {
  return {matrix.weights.data(), matrix.n, matrix.n, matrix.root.data(), matrix.pivots.data()};
}

template <class Arithmetic, class Number = typename Arithmetic::Number>
bool escapes_of(TreeMatrix<Number>& matrix, bool root_in_pivots, TreeEscapes<Number>& escapes) {
  return WordElimination<Arithmetic>(root_in_pivots, matrix.n)
      .settle(whole(matrix), Arithmetic::one(), escapes.memory.data(), escapes.x.data(),
              escapes.visits.data());
}

bool EliminateDoubles(TreeMatrix<double>& matrix, bool root_in_pivots) {
  return WordElimination<Doubles>(root_in_pivots, matrix.n).run(whole(matrix));
}
bool EliminateWide(TreeMatrix<WideNumber>& matrix) {
  return WordElimination<WideNumbers>(true, matrix.n).run(whole(matrix));
}
bool EscapeDoubles(TreeMatrix<double>& matrix, bool root_in_pivots, TreeEscapes<double>& escapes) {
  return escapes_of<Doubles>(matrix, root_in_pivots, escapes);
}
bool EscapeWide(TreeMatrix<WideNumber>& matrix, TreeEscapes<WideNumber>& escapes) {
  return escapes_of<WideNumbers>(matrix, true, escapes);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(EliminateDoubles);
HWY_EXPORT(EliminateWide);
HWY_EXPORT(EscapeDoubles);
HWY_EXPORT(EscapeWide);

namespace {

// Each halving that keeps the first of s words copies s² weights, r and d: s = n, ⌈n/2⌉, …
template <class Number>
void resize(Index n, TreeEscapes<Number>& escapes) {
  escapes.x.resize(n * n);
  escapes.visits.resize(n);
  Index memory = 0;
  for (Index size = n; size > 1; size -= size / 2) memory += size * (size + 2);
  escapes.memory.resize(memory);
}

}  // namespace

bool eliminate(TreeMatrix<double>& matrix, RootInPivots root_in_pivots) {
  if (matrix.n == 0) return true;
  return HWY_DYNAMIC_DISPATCH(EliminateDoubles)(matrix, root_in_pivots == RootInPivots::kYes);
}

void eliminate(TreeMatrix<WideNumber>& matrix) {
  if (matrix.n == 0) return;
  const bool possible = HWY_DYNAMIC_DISPATCH(EliminateWide)(matrix);
  assert(possible);
  static_cast<void>(possible);
}

bool find_escapes(TreeMatrix<double>& matrix, RootInPivots root_in_pivots,
                  TreeEscapes<double>& escapes) {
  if (matrix.n == 0) return true;
  resize(matrix.n, escapes);
  return HWY_DYNAMIC_DISPATCH(EscapeDoubles)(matrix, root_in_pivots == RootInPivots::kYes, escapes);
}

void find_escapes(TreeMatrix<WideNumber>& matrix, TreeEscapes<WideNumber>& escapes) {
  if (matrix.n == 0) return;
  resize(matrix.n, escapes);
  const bool possible = HWY_DYNAMIC_DISPATCH(EscapeWide)(matrix, escapes);
  assert(possible);
  static_cast<void>(possible);
}

}  // namespace trellis

#endif  // HWY_ONCE
