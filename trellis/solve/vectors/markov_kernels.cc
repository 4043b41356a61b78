#include "trellis/solve/vectors/markov_kernels.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/vectors/markov_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/semirings-inl.h"
#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

constexpr double kRescale = 0x1p-40;

// With two sums for each vector of a block, and their operands, in registers.
#if HWY_TARGET == HWY_NEON || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
constexpr size_t kBlockVectors = 8;
#else
constexpr size_t kBlockVectors = 4;
#endif

template <size_t kCount>
using Vectors = std::integral_constant<size_t, kCount>;

template <class D, size_t kCount, class Work>
HWY_INLINE void call_block(D d, size_t vectors, size_t begin, const Work& work) {
  if constexpr (kCount > 1) {
    if (vectors < kCount) return call_block<D, kCount - 1>(d, vectors, begin, work);
  }
  work(d, Vectors<kCount>(), begin);
}

// Calls work(d, vectors, begin) for blocks of whole vectors that cover [begin, end), with the
// widest that fit.
template <size_t kWidth = kOctet, class Work>
HWY_INLINE void cover_row(size_t begin, size_t end, const Work& work) {
  const hn::CappedTag<double, kWidth> d;
  constexpr size_t kLanes = kLanesOf<hn::CappedTag<double, kWidth>>;
  while (end - begin >= kLanes) {
    const size_t vectors = HWY_MIN((end - begin) / kLanes, kBlockVectors);
    call_block<hn::CappedTag<double, kWidth>, kBlockVectors>(d, vectors, begin, work);
    begin += vectors * kLanes;
  }
  if constexpr (kLanes > 1) {
    if (begin < end) cover_row<kLanes / 2>(begin, end, work);
  }
}

// Columns [begin, begin + kVectors · lanes) of ⊕_i x(i) ⊗ rows(i, ·). Even and odd rows are summed
// up apart: that halves the chain of dependent additions.
template <class Semiring, class D, size_t kVectors, class Finish>
HWY_INLINE void combine_block(D d, Vectors<kVectors>, const double* rows, size_t count,
                              size_t stride, const double* x, size_t begin, const Finish& finish) {
  using V = hn::Vec<D>;
  constexpr size_t kLanes = kLanesOf<D>;
  V even[kVectors], odd[kVectors];
  for (size_t j = 0; j < kVectors; ++j) even[j] = odd[j] = Semiring::zero(d);
  const double* row = rows + begin;
  size_t i = 0;
  for (; i + 2 <= count; i += 2, row += 2 * stride) {
    const V x0 = hn::Set(d, x[i]), x1 = hn::Set(d, x[i + 1]);
    for (size_t j = 0; j < kVectors; ++j) {
      even[j] = Semiring::add(even[j], Semiring::multiply(x0, hn::LoadU(d, row + j * kLanes)));
      odd[j] =
          Semiring::add(odd[j], Semiring::multiply(x1, hn::LoadU(d, row + stride + j * kLanes)));
    }
  }
  if (i < count) {
    const V x0 = hn::Set(d, x[i]);
    for (size_t j = 0; j < kVectors; ++j) {
      even[j] = Semiring::add(even[j], Semiring::multiply(x0, hn::LoadU(d, row + j * kLanes)));
    }
  }
  for (size_t j = 0; j < kVectors; ++j) {
    finish(j, begin + j * kLanes, Semiring::add(even[j], odd[j]));
  }
}

// Whether some value lies above `low`, and whether all lie above `high`.
struct RowRange {
  bool some_above = false;
  bool all_above = true;
};

template <class D, class V>
HWY_INLINE void widen(D d, V largest, V smallest, double low, double high, RowRange& range) {
  range.some_above |= !hn::AllFalse(d, hn::Gt(largest, hn::Set(d, low)));
  range.all_above &= hn::AllTrue(d, hn::Ge(smallest, hn::Set(d, high)));
}

// Positive values are raised to the floor. Returns whether one was below it.
HWY_INLINE bool lift_row(double* row, size_t stride, bool& positive) {
  bool lifted = false;
  for (size_t i = 0; i < stride; ++i) {
    positive &= row[i] > 0;
    if (row[i] > 0 && row[i] < kMarkovFloor) {
      row[i] = kMarkovFloor;
      lifted = true;
    }
  }
  return lifted;
}

// Brings the largest value into [1, 2), and returns the power of two that was taken out. All must
// not be 0.
HWY_INLINE int rescale_row(double* row, size_t stride, double& scale) {
  const int exponent = std::ilogb(*std::max_element(row, row + stride));
  scale = std::ldexp(1.0, -exponent);
  for (size_t i = 0; i < stride; ++i) row[i] *= scale;
  return exponent;
}

// Completes a new row of α: the scale, the floor. False if no state is reached.
HWY_INLINE bool finish_alpha(double* row, size_t stride, RowRange range, double& scale,
                             MarkovForward& result) {
  scale = 1;
  if (!range.some_above) {
    if (*std::max_element(row, row + stride) == 0) return false;
    result.exponent += rescale_row(row, stride, scale);
    range.all_above = false;  // look again
  }
  if (!range.all_above) result.lifted |= lift_row(row, stride, result.positive);
  return true;
}

MarkovForward Forward(const MarkovTable& table, const double* first,
                      std::span<const double* const> emissions, double* alpha, double* scales) {
  const size_t stride = table.stride;
  MarkovForward result;
  for (size_t t = 0; t < emissions.size(); ++t) {
    const double* emission = emissions[t];
    double* out = alpha + t * stride;
    const double* before = out - (t > 0 ? stride : 0);
    RowRange range;
    cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
      auto largest = hn::Zero(d), smallest = hn::Set(d, kInfinity);
      const auto finish = [&](size_t, size_t at, auto value) HWY_ATTR {
        const auto message = hn::Mul(value, hn::LoadU(d, emission + at));
        largest = hn::Max(largest, message);
        smallest = hn::Min(smallest, message);
        hn::StoreU(message, d, out + at);
      };
      if (t == 0) {
        for (size_t j = 0; j < decltype(vectors)::value; ++j) {
          const size_t at = begin + j * kLanesOf<decltype(d)>;
          finish(j, at, hn::LoadU(d, first + at));
        }
      } else {
        combine_block<SumProduct>(d, vectors, table.steps, table.states, stride, before, begin,
                                  finish);
      }
      widen(d, largest, smallest, kRescale, kMarkovFloor, range);
    });
    if (!finish_alpha(out, stride, range, scales[t], result)) return result;
  }
  const double* last = alpha + (emissions.size() - 1) * stride;
  result.total =
      fixed_sum(table.states, [=](auto d, size_t i) HWY_ATTR { return hn::LoadU(d, last + i); });
  result.possible = true;
  return result;
}

// γ_t and v_t from β_t, by lanes; a β of 0 reach goes no further, so that an overflow of it does
// no harm. Returns the largest β that counts.
template <bool kAllReached, class D, class V = hn::Vec<D>>
HWY_INLINE V weigh(D d, V beta, const double* alpha, const double* emission, double scale,
                   double* gamma, double* weighted) {
  const V a = hn::LoadU(d, alpha);
  if constexpr (!kAllReached) beta = hn::IfThenElseZero(hn::Gt(a, hn::Zero(d)), beta);
  hn::StoreU(hn::Mul(a, beta), d, gamma);
  hn::StoreU(hn::Mul(hn::Mul(beta, hn::LoadU(d, emission)), hn::Set(d, scale)), d, weighted);
  return beta;
}

template <bool kAllReached>
HWY_INLINE double backward_pass(const MarkovTable& table, double total,
                                std::span<const double* const> emissions, const double* alpha,
                                const double* scales, double* gamma, double* weighted) {
  const size_t stride = table.stride;
  size_t t = emissions.size() - 1;
  double largest = 1 / total;
  cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
    for (size_t j = 0; j < decltype(vectors)::value; ++j) {
      const size_t at = t * stride + begin + j * kLanesOf<decltype(d)>;
      weigh<kAllReached>(d, hn::Set(d, 1 / total), alpha + at, emissions[t] + at - t * stride,
                         scales[t], gamma + at, weighted + at);
    }
  });
  for (; t > 0; --t) {
    const size_t row = (t - 1) * stride;
    cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
      auto top = hn::Zero(d);
      combine_block<SumProduct>(
          d, vectors, table.transposed, table.states, stride, weighted + row + stride, begin,
          [&](size_t, size_t at, auto beta) HWY_ATTR {
            const auto lifted = hn::IfThenElseZero(hn::Gt(beta, hn::Zero(d)),
                                                   hn::Max(beta, hn::Set(d, kMarkovFloor)));
            top = hn::Max(top,
                          weigh<kAllReached>(d, lifted, alpha + row + at, emissions[t - 1] + at,
                                             scales[t - 1], gamma + row + at, weighted + row + at));
          });
      if (!hn::AllTrue(d, hn::Le(top, hn::Set(d, largest)))) {
        largest = hn::GetLane(hn::MaxOfLanes(d, top));
      }
    });
  }
  return largest;
}

double Backward(const MarkovTable& table, const MarkovForward& forward,
                std::span<const double* const> emissions, const double* alpha, const double* scales,
                double* gamma, double* weighted) {
  return forward.positive
             ? backward_pass<true>(table, forward.total, emissions, alpha, scales, gamma, weighted)
             : backward_pass<false>(table, forward.total, emissions, alpha, scales, gamma,
                                    weighted);
}

// kRows rows of C share the loads of v.
template <size_t kRows, class D, size_t kVectors>
HWY_INLINE void add_pairs_block(D d, Vectors<kVectors>, size_t stride, size_t length,
                                const double* alpha, const double* weighted, double* sums) {
  using V = hn::Vec<D>;
  constexpr size_t kLanes = kLanesOf<D>;
  V sum[kRows][kVectors];
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t j = 0; j < kVectors; ++j) sum[r][j] = hn::LoadU(d, sums + r * stride + j * kLanes);
  }
  for (size_t t = 1; t < length; ++t) {
    const double* right = weighted + t * stride;
    const double* left = alpha + (t - 1) * stride;
    V v[kVectors];
    for (size_t j = 0; j < kVectors; ++j) v[j] = hn::LoadU(d, right + j * kLanes);
    for (size_t r = 0; r < kRows; ++r) {
      const V a = hn::Set(d, left[r]);
      for (size_t j = 0; j < kVectors; ++j) sum[r][j] = hn::Add(sum[r][j], hn::Mul(a, v[j]));
    }
  }
  for (size_t r = 0; r < kRows; ++r) {
    for (size_t j = 0; j < kVectors; ++j) hn::StoreU(sum[r][j], d, sums + r * stride + j * kLanes);
  }
}

void Pairs(const MarkovTable& table, size_t length, const double* alpha, const double* weighted,
           double* sums) {
  // Positions in chunks that stay in the first cache; long sums are also the better for it.
  constexpr size_t kChunk = 64;
  const size_t stride = table.stride;
  for (size_t t = 0; t + 1 < length; t += kChunk) {
    const size_t count = HWY_MIN(kChunk + 1, length - t);
    const double* left = alpha + t * stride;
    const double* right = weighted + t * stride;
    cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
      constexpr size_t kRows = decltype(vectors)::value * 4 <= 2 * kBlockVectors + 4 ? 4 : 2;
      size_t i = 0;
      for (; i + kRows <= table.states; i += kRows) {
        add_pairs_block<kRows>(d, vectors, stride, count, left + i, right + begin,
                               sums + i * stride + begin);
      }
      for (; i < table.states; ++i) {
        add_pairs_block<1>(d, vectors, stride, count, left + i, right + begin,
                           sums + i * stride + begin);
      }
    });
  }
}

void AddRows(size_t stride, std::span<double* const> targets, const double* rows) {
  for (size_t t = 0; t < targets.size(); ++t, rows += stride) {
    double* target = targets[t];
    if (target == nullptr) continue;
    cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
      for (size_t j = 0; j < decltype(vectors)::value; ++j) {
        const size_t at = begin + j * kLanesOf<decltype(d)>;
        hn::StoreU(hn::Add(hn::LoadU(d, target + at), hn::LoadU(d, rows + at)), d, target + at);
      }
    });
  }
}

// The first i < n where left(i) + right(i) is largest; 0 where all are −∞. The last vector overlaps
// the one before it.
template <size_t kWidth = kOctet>
HWY_INLINE size_t best_sum(const double* left, const double* right, size_t n) {
  using D = hn::CappedTag<double, kWidth>;
  constexpr size_t kLanes = kLanesOf<D>;
  if constexpr (kLanes > 1) {
    if (n < kLanes) return best_sum<kLanes / 2>(left, right, n);
  }
  const D d;
  auto best = hn::Set(d, -kInfinity), where = hn::Zero(d);
  const auto look = [&](size_t at) HWY_ATTR {
    const auto value = hn::Add(hn::LoadU(d, left + at), hn::LoadU(d, right + at));
    const auto better = hn::Gt(value, best);
    best = hn::IfThenElse(better, value, best);
    where = hn::IfThenElse(better, hn::Iota(d, static_cast<double>(at)), where);
  };
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) look(i);
  if (i < n) look(n - kLanes);
  double values[kLanes], places[kLanes];
  hn::StoreU(best, d, values);
  hn::StoreU(where, d, places);
  double value = values[0], place = places[0];
  for (size_t k = 1; k < kLanes; ++k) {
    const bool better = values[k] > value || (values[k] == value && places[k] < place);
    value = better ? values[k] : value;
    place = better ? places[k] : place;
  }
  return static_cast<size_t>(place);
}

double Viterbi(const MarkovTable& table, const double* first,
               std::span<const double* const> emissions, double* delta, std::span<Label> path) {
  const size_t stride = table.stride, length = emissions.size();
  for (size_t i = 0; i < stride; ++i) delta[i] = first[i] + emissions[0][i];
  for (size_t t = 1; t < length; ++t) {
    const double* before = delta + (t - 1) * stride;
    double* out = delta + t * stride;
    const double* emission = emissions[t];
    cover_row(0, stride, [&](auto d, auto vectors, size_t begin) HWY_ATTR {
      combine_block<MaxPlus>(d, vectors, table.steps, table.states, stride, before, begin,
                             [&](size_t, size_t at, auto value) HWY_ATTR {
                               hn::StoreU(hn::Add(value, hn::LoadU(d, emission + at)), d, out + at);
                             });
    });
  }
  const double* last = delta + (length - 1) * stride;
  size_t state = static_cast<size_t>(std::max_element(last, last + table.states) - last);
  const double best = last[state];
  for (size_t t = length; t-- > 0;) {
    path[t] = static_cast<Label>(state);
    if (t > 0) {
      state = best_sum(delta + (t - 1) * stride, table.transposed + state * stride, table.states);
    }
  }
  return best;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trellis {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);
HWY_EXPORT(Pairs);
HWY_EXPORT(AddRows);
HWY_EXPORT(Viterbi);

MarkovForward markov_forward(const MarkovTable& table, const double* first,
                             std::span<const double* const> emissions, double* alpha,
                             double* scales) {
  return HWY_DYNAMIC_DISPATCH(Forward)(table, first, emissions, alpha, scales);
}

double markov_backward(const MarkovTable& table, const MarkovForward& forward,
                       std::span<const double* const> emissions, const double* alpha,
                       const double* scales, double* gamma, double* weighted) {
  return HWY_DYNAMIC_DISPATCH(Backward)(table, forward, emissions, alpha, scales, gamma, weighted);
}

void markov_pairs(const MarkovTable& table, Index length, const double* alpha,
                  const double* weighted, double* sums) {
  HWY_DYNAMIC_DISPATCH(Pairs)(table, length, alpha, weighted, sums);
}

void add_markov_rows(Index stride, std::span<double* const> targets, const double* rows) {
  HWY_DYNAMIC_DISPATCH(AddRows)(stride, targets, rows);
}

double markov_viterbi(const MarkovTable& table, const double* first,
                      std::span<const double* const> emissions, double* delta,
                      std::span<Label> path) {
  return HWY_DYNAMIC_DISPATCH(Viterbi)(table, first, emissions, delta, path);
}

}  // namespace trellis
#endif
