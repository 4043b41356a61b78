#include "trellis/solve/matchings/subset_kernels.h"

#include <bit>

#include "trellis/solve/vectors/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/matchings/subset_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vectors/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kSetLanes = SubsetCoefficients::kLanes;
constexpr size_t kFirstTop =
    SubsetCoefficients::kSmallest;  // columns 0 … 2 are lanes, 3 and 4 blocks
constexpr size_t kBlocks = 4;
constexpr size_t kBlockSize[kBlocks] = {0, 1, 1, 2};

using Rows = SubsetCoefficients;

HWY_INLINE void store(const Octet& octet, double* to) {
  for (size_t part = 0; part < Octet::kParts; ++part) {
    hn::StoreU(octet.part[part], Wide(), to + part * Octet::kLanes);
  }
}

HWY_INLINE Octet load(const double* from) {
  Octet octet;
  for (size_t part = 0; part < Octet::kParts; ++part) {
    octet.part[part] = hn::LoadU(Wide(), from + part * Octet::kLanes);
  }
  return octet;
}

HWY_INLINE void add_product(const Octet& x, const Octet& y, Octet& sum) {
  for (size_t part = 0; part < Octet::kParts; ++part) {
    sum.part[part] = hn::Add(sum.part[part], hn::Mul(x.part[part], y.part[part]));
  }
}

// What is tiny becomes 0. Of numbers that are not tiny, no product within a block is denormal,
// which would take a hundred times as long.
HWY_INLINE void drop_tiny(Octet& octet) {
  const Wide d;
  for (size_t part = 0; part < Octet::kParts; ++part) {
    const auto kept = hn::Ge(octet.part[part], hn::Set(d, SubsetCoefficients::kTiny));
    octet.part[part] = hn::IfThenElseZero(kept, octet.part[part]);
  }
}

// 1 for the empty set, or for all columns.
HWY_INLINE Octet first_set() {
  constexpr double kValues[kSetLanes] = {1, 0, 0, 0, 0, 0, 0, 0};
  return load(kValues);
}
HWY_INLINE Octet last_set() {
  constexpr double kValues[kSetLanes] = {0, 0, 0, 0, 0, 0, 0, 1};
  return load(kValues);
}

// Completes f within a block whose sets have k columns from 3 on; a0 is row k of the coefficients.
// The last row of a set {…} ∪ l is k + |l| − 1: lane l∖j of row k.
HWY_INLINE void forward_lanes_singly(const double* a0, Octet& octet) {
  double sum[kSetLanes];
  store(octet, sum);
  const double* a1 = a0 + kSetLanes;
  const double* a2 = a1 + kSetLanes;
  sum[1] += a0[0] * sum[0];
  sum[2] += a1[0] * sum[0];
  sum[4] += a2[0] * sum[0];
  sum[3] += a0[2] * sum[2] + a1[1] * sum[1];
  sum[5] += a0[4] * sum[4] + a2[1] * sum[1];
  sum[6] += a1[4] * sum[4] + a2[2] * sum[2];
  sum[7] += (a0[6] * sum[6] + a1[5] * sum[5]) + a2[3] * sum[3];
  octet = load(sum);
}

#if HWY_MAX_BYTES >= 32  // registers of four, or of eight

// The eight sums of a block as two vectors of four.
using Quad = hn::CappedTag<double, 4>;
using QuadVec = hn::Vec<Quad>;

template <class D>
HWY_INLINE void split_octet(D d, const hn::Vec<D>* parts, QuadVec& low, QuadVec& high) {
  if constexpr (kLanesOf<D> == kSetLanes) {
    const hn::Half<D> half;
    low = hn::LowerHalf(half, parts[0]);
    high = hn::UpperHalf(half, parts[0]);
  } else {
    static_cast<void>(d);
    low = parts[0];
    high = parts[1];
  }
}

template <class D>
HWY_INLINE void join_octet(D d, QuadVec low, QuadVec high, hn::Vec<D>* parts) {
  if constexpr (kLanesOf<D> == kSetLanes) {
    parts[0] = hn::Combine(d, high, low);
  } else {
    parts[0] = low;
    parts[1] = high;
  }
}

HWY_INLINE QuadVec times(const double* coefficients, QuadVec v) {
  return hn::Mul(hn::LoadU(Quad(), coefficients), v);
}

// Lanes 2, 3, 0, 1; lane 0 everywhere; lane 3 everywhere.
HWY_INLINE QuadVec swap_halves(QuadVec v) {
  return hn::SwapAdjacentBlocks(v);
}
HWY_INLINE QuadVec first_lane(QuadVec v) {
  return hn::Set(Quad(), hn::GetLane(v));
}
HWY_INLINE QuadVec last_lane(QuadVec v) {
  return first_lane(swap_halves(hn::DupOdd(v)));
}

// The same operations in the same order, four at a time; `quads` are those of subset_kernels.h.
template <class D>
HWY_INLINE void forward_lanes(D d, const Rows& rows, size_t k, Octet& octet) {
  const double* quads = rows.quads_of(k);
  QuadVec low, high;
  split_octet(d, octet.part, low, high);
  const QuadVec empty = first_lane(low);
  low = hn::Add(low, times(quads, empty));
  high = hn::Add(high, times(quads + 4, empty));
  const QuadVec single = low;
  low = hn::Add(
      low, hn::Add(times(quads + 8, hn::DupEven(single)), times(quads + 12, swap_halves(single))));
  high = hn::Add(high, hn::Add(times(quads + 16, first_lane(high)), times(quads + 20, single)));
  const QuadVec twos =
      hn::Add(times(quads + 24, hn::DupEven(high)), times(quads + 28, swap_halves(high)));
  high = hn::Add(high, hn::Add(twos, times(quads + 32, low)));
  join_octet(d, low, high, octet.part);
}

#else

template <class D>
HWY_INLINE void forward_lanes(D, const Rows& rows, size_t k, Octet& octet) {
  forward_lanes_singly(rows.of(k), octet);
}

#endif

HWY_INLINE void complete_forward(const Rows& rows, size_t k, Octet& octet) {
  drop_tiny(octet);
  forward_lanes(Wide(), rows, k, octet);
  drop_tiny(octet);
}

// A group is the four blocks of eight sets that have the same columns from 5 on, `top`, and any of
// the others. One loop runs over those columns for all four, which keeps the processor busy: a
// block alone would wait for its own sums, and for the end of a loop that cannot be foreseen.
HWY_INLINE void forward_group(const Rows& rows, size_t top, double* f) {
  const auto k = static_cast<size_t>(std::popcount(top));
  Octet sum[kBlocks] = {Octet::zero(), Octet::zero(), Octet::zero(), Octet::zero()};
  for (size_t rest = top; rest != 0; rest &= rest - 1) {
    const size_t place = (kFirstTop + static_cast<size_t>(std::countr_zero(rest))) * kSetLanes;
    const double* from = f + (top ^ (rest & (~rest + 1))) * kBlocks * kSetLanes;
    for (size_t block = 0; block < kBlocks; ++block) {
      add_product(load(rows.of(k + kBlockSize[block] - 1) + place), load(from + block * kSetLanes),
                  sum[block]);
    }
  }
  const double* a = rows.of(k);
  const double* next = rows.of(k + 1);
  if (top == 0) sum[0] = first_set();
  complete_forward(rows, k, sum[0]);
  add_product(load(a + 3 * kSetLanes), sum[0], sum[1]);
  complete_forward(rows, k + 1, sum[1]);
  add_product(load(a + 4 * kSetLanes), sum[0], sum[2]);
  complete_forward(rows, k + 1, sum[2]);
  add_product(load(next + 3 * kSetLanes), sum[2], sum[3]);
  add_product(load(next + 4 * kSetLanes), sum[1], sum[3]);
  complete_forward(rows, k + 2, sum[3]);
  double* own = f + top * kBlocks * kSetLanes;
  for (size_t block = 0; block < kBlocks; ++block) store(sum[block], own + block * kSetLanes);
}

void Forward(const Rows& rows, double* f) {
  const size_t groups = size_t{1} << (rows.n - kFirstTop);
  for (size_t top = 0; top < groups; ++top) forward_group(rows, top, f);
}

// Completes b within a block; adds f(S) b(S∪j) to the totals of columns j = 0, 1, 2. What the lanes
// of sets that have j get there means nothing.
HWY_INLINE void backward_lanes_singly(const double* a0, const Octet& f, Octet& octet,
                                      double* total) {
  double sum[kSetLanes], own[kSetLanes];
  store(octet, sum);
  store(f, own);
  const double* a1 = a0 + kSetLanes;
  const double* a2 = a1 + kSetLanes;
  sum[6] += a0[6] * sum[7];
  sum[5] += a1[5] * sum[7];
  sum[3] += a2[3] * sum[7];
  sum[4] += a0[4] * sum[5] + a1[4] * sum[6];
  sum[2] += a0[2] * sum[3] + a2[2] * sum[6];
  sum[1] += a1[1] * sum[3] + a2[1] * sum[5];
  sum[0] += (a0[0] * sum[1] + a1[0] * sum[2]) + a2[0] * sum[4];
  for (size_t j = 0; j < 3; ++j) {
    for (size_t l = 0; l < kSetLanes; ++l) {
      if ((l >> j & 1) == 0) total[j * kSetLanes + l] += own[l] * sum[l | size_t{1} << j];
    }
  }
  octet = load(sum);
}

#if HWY_MAX_BYTES >= 32

HWY_INLINE void add_to(QuadVec v, double* total) {
  hn::StoreU(hn::Add(hn::LoadU(Quad(), total), v), Quad(), total);
}

template <class D>
HWY_INLINE void backward_lanes(D d, const Rows& rows, size_t k, const Octet& f, Octet& octet,
                               double* total) {
  const double* quads = rows.quads_of(k) + 36;
  QuadVec low, high, f_low, f_high;
  split_octet(d, octet.part, low, high);
  split_octet(d, f.part, f_low, f_high);
  const QuadVec all = last_lane(high);
  high = hn::Add(high, times(quads, all));
  low = hn::Add(low, times(quads + 4, all));
  const QuadVec pairs = high;
  high = hn::Add(
      high, hn::Add(times(quads + 8, hn::DupOdd(pairs)), times(quads + 12, swap_halves(pairs))));
  low = hn::Add(low, hn::Add(times(quads + 16, last_lane(low)), times(quads + 20, pairs)));
  const QuadVec ones =
      hn::Add(times(quads + 24, hn::DupOdd(low)), times(quads + 28, swap_halves(low)));
  low = hn::Add(low, hn::Add(ones, times(quads + 32, high)));
  add_to(hn::Mul(f_low, hn::DupOdd(low)), total);
  add_to(hn::Mul(f_high, hn::DupOdd(high)), total + 4);
  add_to(hn::Mul(f_low, swap_halves(low)), total + kSetLanes);
  add_to(hn::Mul(f_high, swap_halves(high)), total + kSetLanes + 4);
  add_to(hn::Mul(f_low, high), total + 2 * kSetLanes);
  join_octet(d, low, high, octet.part);
}

#else

template <class D>
HWY_INLINE void backward_lanes(D, const Rows& rows, size_t k, const Octet& f, Octet& octet,
                               double* total) {
  backward_lanes_singly(rows.of(k), f, octet, total);
}

#endif

HWY_INLINE void complete_backward(const Rows& rows, size_t k, const Octet& f, Octet& octet,
                                  double* total) {
  drop_tiny(octet);
  backward_lanes(Wide(), rows, k, f, octet, total);
  drop_tiny(octet);
}

// What sets without a column have from those with it: their sums and their totals.
HWY_INLINE void take(const double* a, const Octet& f, const Octet& b, Octet& sum, double* total) {
  add_product(load(a), b, sum);
  Octet added = load(total);
  add_product(f, b, added);
  store(added, total);
}

HWY_INLINE void backward_group(const Rows& rows, size_t top, size_t all, const double* f, double* b,
                               double* totals) {
  const auto k = static_cast<size_t>(std::popcount(top));
  const double* own = f + top * kBlocks * kSetLanes;
  Octet weight[kBlocks], sum[kBlocks];
  for (size_t block = 0; block < kBlocks; ++block) {
    weight[block] = load(own + block * kSetLanes);
    sum[block] = Octet::zero();
  }
  double* const total = totals + k * rows.n * kSetLanes;
  double* const next_total = total + rows.n * kSetLanes;
  double* const last_total = next_total + rows.n * kSetLanes;
  const double* a = rows.of(k);
  const double* next = rows.of(k + 1);
  const double* last = rows.of(k + 2);
  for (size_t rest = all ^ top; rest != 0; rest &= rest - 1) {
    const size_t place = (kFirstTop + static_cast<size_t>(std::countr_zero(rest))) * kSetLanes;
    const double* from = b + (top | (rest & (~rest + 1))) * kBlocks * kSetLanes;
    const Octet middle[2] = {load(from + kSetLanes), load(from + 2 * kSetLanes)};
    take(a + place, weight[0], load(from), sum[0], total + place);
    const Octet coefficients = load(next + place);
    add_product(coefficients, middle[0], sum[1]);
    add_product(coefficients, middle[1], sum[2]);
    Octet added = load(next_total + place);
    add_product(weight[1], middle[0], added);
    add_product(weight[2], middle[1], added);
    store(added, next_total + place);
    take(last + place, weight[3], load(from + 3 * kSetLanes), sum[3], last_total + place);
  }
  const size_t column3 = 3 * kSetLanes, column4 = 4 * kSetLanes;
  if (top == all) sum[3] = last_set();
  complete_backward(rows, k + 2, weight[3], sum[3], last_total);
  take(next + column3, weight[2], sum[3], sum[2], next_total + column3);
  complete_backward(rows, k + 1, weight[2], sum[2], next_total);
  take(next + column4, weight[1], sum[3], sum[1], next_total + column4);
  complete_backward(rows, k + 1, weight[1], sum[1], next_total);
  take(a + column3, weight[0], sum[1], sum[0], total + column3);
  take(a + column4, weight[0], sum[2], sum[0], total + column4);
  complete_backward(rows, k, weight[0], sum[0], total);
  double* to = b + top * kBlocks * kSetLanes;
  for (size_t block = 0; block < kBlocks; ++block) store(sum[block], to + block * kSetLanes);
}

void Backward(const Rows& rows, const double* f, double* b, double* totals) {
  const size_t groups = size_t{1} << (rows.n - kFirstTop);
  for (size_t top = groups; top-- > 0;) backward_group(rows, top, groups - 1, f, b, totals);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

void sum_subsets_forward(const SubsetCoefficients& coefficients, double* f) {
  HWY_DYNAMIC_DISPATCH(Forward)(coefficients, f);
}

void sum_subsets_backward(const SubsetCoefficients& coefficients, const double* f, double* b,
                          double* totals) {
  HWY_DYNAMIC_DISPATCH(Backward)(coefficients, f, b, totals);
}

}  // namespace trellis

#endif  // HWY_ONCE
