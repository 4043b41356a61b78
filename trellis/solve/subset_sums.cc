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
constexpr size_t kSetBits = SubsetSums::kLaneBits;

// Rows of coefficients as in SubsetSums::layout_, for sets whose high part has k columns.
struct Rows {
  const double* layout;
  size_t n;
  HWY_INLINE const double* of(size_t k) const { return layout + k * n * kSetLanes; }
};

// f of the sets that consist of `high` (from bit 3 on) and one of the lanes' sets.
HWY_INLINE void forward_block(Rows rows, size_t high, double* f) {
  const Wide d;
  const auto k = static_cast<size_t>(std::popcount(high));
  double* sum = f + high * kSetLanes;
  Octet octet = Octet::zero();
  const double* before = k == 0 ? nullptr : rows.of(k - 1);
  for (size_t rest = high; rest != 0; rest &= rest - 1) {
    const double* a = before + (kSetBits + static_cast<size_t>(std::countr_zero(rest))) * kSetLanes;
    const double* from = f + (high ^ (rest & (~rest + 1))) * kSetLanes;
    for (size_t part = 0; part < Octet::kParts; ++part) {
      const size_t lane = part * Octet::kLanes;
      octet.part[part] =
          hn::Add(octet.part[part], hn::Mul(hn::LoadU(d, a + lane), hn::LoadU(d, from + lane)));
    }
  }
  for (size_t part = 0; part < Octet::kParts; ++part) {
    hn::StoreU(octet.part[part], d, sum + part * Octet::kLanes);
  }
  if (high == 0) sum[0] = 1;
  // The last row of a set {…} ∪ l is k + |l| − 1: lane l∖j of row k.
  const double* a0 = rows.of(k);
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

void Forward(const double* layout, size_t n, double* f) {
  const size_t blocks = size_t{1} << (n - kSetBits);
  for (size_t high = 0; high < blocks; ++high) forward_block({layout, n}, high, f);
}

// b of those sets, from the larger ones'; adds f(S) b(S∪j) to the totals.
HWY_INLINE void backward_block(Rows rows, size_t high, size_t all, const double* f, double* b,
                               double* totals) {
  const Wide d;
  const auto k = static_cast<size_t>(std::popcount(high));
  const double* own = f + high * kSetLanes;
  double* sum = b + high * kSetLanes;
  double* total = totals + k * rows.n * kSetLanes;
  const double* a0 = rows.of(k);
  Octet octet = Octet::zero(), weights;
  for (size_t part = 0; part < Octet::kParts; ++part) {
    weights.part[part] = hn::LoadU(d, own + part * Octet::kLanes);
  }
  for (size_t rest = all ^ high; rest != 0; rest &= rest - 1) {
    const size_t place = (kSetBits + static_cast<size_t>(std::countr_zero(rest))) * kSetLanes;
    const double* from = b + (high | (rest & (~rest + 1))) * kSetLanes;
    for (size_t part = 0; part < Octet::kParts; ++part) {
      const size_t lane = part * Octet::kLanes;
      const auto value = hn::LoadU(d, from + lane);
      octet.part[part] = hn::Add(octet.part[part], hn::Mul(hn::LoadU(d, a0 + place + lane), value));
      hn::StoreU(hn::Add(hn::LoadU(d, total + place + lane), hn::Mul(weights.part[part], value)), d,
                 total + place + lane);
    }
  }
  for (size_t part = 0; part < Octet::kParts; ++part) {
    hn::StoreU(octet.part[part], d, sum + part * Octet::kLanes);
  }
  if (high == all) sum[kSetLanes - 1] = 1;
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

void Backward(const double* layout, size_t n, const double* f, double* b, double* totals) {
  const size_t blocks = size_t{1} << (n - kSetBits);
  for (size_t high = blocks; high-- > 0;) {
    backward_block({layout, n}, high, blocks - 1, f, b, totals);
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
  assert(n >= kLaneBits && n < 32 && a.size() == n * n);
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
