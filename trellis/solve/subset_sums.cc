#include "trellis/solve/subset_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trellis/solve/subset_sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "trellis/solve/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trellis {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kSetLanes = SubsetSums::kLanes;
constexpr size_t kFirstTop = SubsetSums::kSmallest;  // columns 0 … 2 are lanes, 3 and 4 blocks
constexpr size_t kBlocks = 4;
constexpr size_t kBlockSize[kBlocks] = {0, 1, 1, 2};

// Rows of coefficients as in SubsetSums::layout_, for sets whose columns from 3 on are k.
struct Rows {
  const double* layout;
  size_t n;
  HWY_INLINE const double* of(size_t k) const { return layout + k * n * kSetLanes; }
};

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

// Completes f within a block, whose sets have k columns from 3 on. The last row of a set {…} ∪ l is
// k + |l| − 1: lane l∖j of row k.
HWY_INLINE void forward_lanes(const double* a0, double* sum) {
  const double* a1 = a0 + kSetLanes;
  const double* a2 = a1 + kSetLanes;
  const double s0 = sum[0];
  const double s1 = sum[1] + a0[0] * s0;
  const double s2 = sum[2] + a1[0] * s0;
  const double s4 = sum[4] + a2[0] * s0;
  const double s3 = sum[3] + (a0[2] * s2 + a1[1] * s1);
  const double s5 = sum[5] + (a0[4] * s4 + a2[1] * s1);
  const double s6 = sum[6] + (a1[4] * s4 + a2[2] * s2);
  sum[1] = s1;
  sum[2] = s2;
  sum[3] = s3;
  sum[4] = s4;
  sum[5] = s5;
  sum[6] = s6;
  sum[7] += (a0[6] * s6 + a1[5] * s5) + a2[3] * s3;
}

// A group is the four blocks of eight sets that have the same columns from 5 on, `top`, and any of
// the others. One loop runs over those columns for all four, which keeps the processor busy: a
// block alone would wait for its own sums, and for the end of a loop that cannot be foreseen.
HWY_INLINE void forward_group(Rows rows, size_t top, double* f) {
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
  double* own = f + top * kBlocks * kSetLanes;
  double* const block[kBlocks] = {own, own + kSetLanes, own + 2 * kSetLanes, own + 3 * kSetLanes};
  const double* a = rows.of(k);
  const double* next = rows.of(k + 1);
  store(sum[0], block[0]);
  if (top == 0) block[0][0] = 1;
  forward_lanes(a, block[0]);
  add_product(load(a + 3 * kSetLanes), load(block[0]), sum[1]);
  store(sum[1], block[1]);
  forward_lanes(next, block[1]);
  add_product(load(a + 4 * kSetLanes), load(block[0]), sum[2]);
  store(sum[2], block[2]);
  forward_lanes(next, block[2]);
  add_product(load(next + 3 * kSetLanes), load(block[2]), sum[3]);
  add_product(load(next + 4 * kSetLanes), load(block[1]), sum[3]);
  store(sum[3], block[3]);
  forward_lanes(rows.of(k + 2), block[3]);
}

void Forward(const double* layout, size_t n, double* f) {
  const size_t groups = size_t{1} << (n - kFirstTop);
  for (size_t top = 0; top < groups; ++top) forward_group({layout, n}, top, f);
}

// Completes b within a block; adds f(S) b(S∪j) to the totals, for j within the lanes.
HWY_INLINE void backward_lanes(const double* a0, const double* own, double* sum, double* total) {
  const double* a1 = a0 + kSetLanes;
  const double* a2 = a1 + kSetLanes;
  const double s7 = sum[7];
  const double s6 = sum[6] + a0[6] * s7;
  const double s5 = sum[5] + a1[5] * s7;
  const double s3 = sum[3] + a2[3] * s7;
  const double s4 = sum[4] + (a0[4] * s5 + a1[4] * s6);
  const double s2 = sum[2] + (a0[2] * s3 + a2[2] * s6);
  const double s1 = sum[1] + (a1[1] * s3 + a2[1] * s5);
  sum[6] = s6;
  sum[5] = s5;
  sum[4] = s4;
  sum[3] = s3;
  sum[2] = s2;
  sum[1] = s1;
  sum[0] += (a0[0] * s1 + a1[0] * s2) + a2[0] * s4;
  total[0] += own[0] * s1;
  total[2] += own[2] * s3;
  total[4] += own[4] * s5;
  total[6] += own[6] * s7;
  total += kSetLanes;
  total[0] += own[0] * s2;
  total[1] += own[1] * s3;
  total[4] += own[4] * s6;
  total[5] += own[5] * s7;
  total += kSetLanes;
  total[0] += own[0] * s4;
  total[1] += own[1] * s5;
  total[2] += own[2] * s6;
  total[3] += own[3] * s7;
}

// What sets without a column have from those with it: their sums and their totals.
HWY_INLINE void take(const double* a, const Octet& f, const Octet& b, Octet& sum, double* total) {
  add_product(load(a), b, sum);
  Octet added = load(total);
  add_product(f, b, added);
  store(added, total);
}

HWY_INLINE void backward_group(Rows rows, size_t top, size_t all, const double* f, double* b,
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
  double* block[kBlocks];
  for (size_t q = 0; q < kBlocks; ++q) block[q] = b + (top * kBlocks + q) * kSetLanes;
  const size_t column3 = 3 * kSetLanes, column4 = 4 * kSetLanes;
  store(sum[3], block[3]);
  if (top == all) block[3][kSetLanes - 1] = 1;
  backward_lanes(last, own + 3 * kSetLanes, block[3], last_total);
  const Octet third = load(block[3]);
  take(next + column3, weight[2], third, sum[2], next_total + column3);
  store(sum[2], block[2]);
  backward_lanes(next, own + 2 * kSetLanes, block[2], next_total);
  take(next + column4, weight[1], third, sum[1], next_total + column4);
  store(sum[1], block[1]);
  backward_lanes(next, own + kSetLanes, block[1], next_total);
  take(a + column3, weight[0], load(block[1]), sum[0], total + column3);
  take(a + column4, weight[0], load(block[2]), sum[0], total + column4);
  store(sum[0], block[0]);
  backward_lanes(a, own, block[0], total);
}

void Backward(const double* layout, size_t n, const double* f, double* b, double* totals) {
  const size_t groups = size_t{1} << (n - kFirstTop);
  for (size_t top = groups; top-- > 0;) {
    backward_group({layout, n}, top, groups - 1, f, b, totals);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace trellis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace trellis {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

namespace {

constexpr std::array<Index, SubsetSums::kLanes> kSize = {0, 1, 1, 2,
                                                         1, 2, 2, 3};  // of a lane's set

}  // namespace

void SubsetSums::lay_out(std::span<const double> a) {
  layout_.assign(n_ * n_ * kLanes, 0.0);
  for (Index k = 0; k < n_; ++k) {
    for (Index l = 0; l < kLanes; ++l) {
      if (k + kSize[l] >= n_) continue;
      const double* row = &a[(k + kSize[l]) * n_];
      for (Index j = 0; j < n_; ++j) layout_[(k * n_ + j) * kLanes + l] = row[j];
    }
  }
}

void SubsetSums::forward(Index n, std::span<const double> a) {
  assert(n >= kSmallest && n < 32 && a.size() == n * n);
  n_ = n;
  lay_out(a);
  const Index size = Index{1} << n;
  if (f_.size() < size) f_.resize(size);
  HWY_DYNAMIC_DISPATCH(Forward)(layout_.data(), n_, f_.data());
}

// The last row first: given that S is left for rows 0 … |S|−1, row |S|−1 takes j ∈ S with
// probability a_{|S|−1,j} f(S∖j) / f(S).
void SubsetSums::draw(Random& random, std::span<Label> columns) const {
  assert(columns.size() == n_);
  std::array<double, 32> weights{};
  Index set = (Index{1} << n_) - 1;
  for (Index i = n_; i-- > 0;) {
    const double* a = coefficients(i);  // in lane 0
    for (Index j = 0; j < n_; ++j) {
      const Index bit = Index{1} << j;
      weights[j] = (set & bit) != 0 ? a[j * kLanes] * f_[set ^ bit] : 0.0;
    }
    const Index chosen = trellis::draw(std::span(weights).first(n_), random);
    columns[i] = static_cast<Label>(chosen);
    set ^= Index{1} << chosen;
  }
}

void SubsetSums::collect(std::span<double> totals) const {
  std::fill(totals.begin(), totals.end(), 0.0);
  for (Index k = 0; k < n_; ++k) {
    for (Index l = 0; l < kLanes; ++l) {
      const Index row = k + kSize[l];
      if (row >= n_) continue;
      for (Index j = 0; j < n_; ++j) {
        const Index place = (k * n_ + j) * kLanes + l;
        totals[row * n_ + j] += layout_[place] * sums_[place];
      }
    }
  }
}

void SubsetSums::backward(std::span<double> totals) {
  assert(totals.size() == n_ * n_);
  const Index size = Index{1} << n_;
  if (b_.size() < size) b_.resize(size);
  sums_.assign(n_ * n_ * kLanes, 0.0);
  HWY_DYNAMIC_DISPATCH(Backward)(layout_.data(), n_, f_.data(), b_.data(), sums_.data());
  collect(totals);
}

}  // namespace trellis

#endif  // HWY_ONCE
