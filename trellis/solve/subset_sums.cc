#include "trellis/solve/subset_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "trellis/solve/draw.h"

namespace trellis {
namespace {

constexpr Index kLanes = SubsetSums::kLanes;
constexpr Index kLaneBits = SubsetSums::kLaneBits;
constexpr std::array<Index, kLanes> kSize = {0, 1, 1, 2, 1, 2, 2, 3};  // of the lane's set

Index set_size(Index set) {
  return static_cast<Index>(std::popcount(set));
}

// The lowest member.
Index first(Index set) {
  return static_cast<Index>(std::countr_zero(set));
}

}  // namespace

void SubsetSums::lay_out(std::span<const double> a) {
  layout_.assign(n_ * n_ * kLanes, 0.0);
  for (Index k = 0; k < n_; ++k) {
    for (Index j = 0; j < n_; ++j) {
      for (Index l = 0; l < kLanes; ++l) {
        const Index row = k + kSize[l];
        if (row < n_) layout_[(k * n_ + j) * kLanes + l] = a[row * n_ + j];
      }
    }
  }
}

// f of the sets that consist of `high` (from bit 3 on) and one of the lanes' sets.
void SubsetSums::forward_block(Index high) {
  const Index k = set_size(high);
  std::array<double, kLanes> sum{};
  if (high == 0) {
    sum[0] = 1;
  } else {
    const double* rows = coefficients(k - 1);
    for (Index rest = high; rest != 0; rest &= rest - 1) {
      const Index j = kLaneBits + first(rest);
      const double* a = rows + j * kLanes;
      const double* f = &f_[(high ^ (rest & -rest)) * kLanes];
      for (Index l = 0; l < kLanes; ++l) sum[l] += a[l] * f[l];
    }
  }
  // The last row of a set {…} ∪ l is k + |l| − 1: lane l∖j of row k.
  const double* a0 = coefficients(k);
  const double* a1 = a0 + kLanes;
  const double* a2 = a1 + kLanes;
  sum[1] += a0[0] * sum[0];
  sum[2] += a1[0] * sum[0];
  sum[4] += a2[0] * sum[0];
  sum[3] += a0[2] * sum[2] + a1[1] * sum[1];
  sum[5] += a0[4] * sum[4] + a2[1] * sum[1];
  sum[6] += a1[4] * sum[4] + a2[2] * sum[2];
  sum[7] += (a0[6] * sum[6] + a1[5] * sum[5]) + a2[3] * sum[3];
  std::copy(sum.begin(), sum.end(), f_.begin() + static_cast<std::ptrdiff_t>(high * kLanes));
}

void SubsetSums::forward(Index n, std::span<const double> a) {
  assert(n >= kLaneBits && n < 32 && a.size() == n * n);
  n_ = n;
  lay_out(a);
  const Index size = Index{1} << n;
  if (f_.size() < size) f_.resize(size);
  for (Index high = 0; high < size / kLanes; ++high) forward_block(high);
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

void SubsetSums::backward_block(Index high) {
  const Index k = set_size(high);
  const Index all = (Index{1} << (n_ - kLaneBits)) - 1;
  const double* f = &f_[high * kLanes];
  std::array<double, kLanes> sum{};
  if (high == all) {
    sum[kLanes - 1] = 1;
  } else {
    const double* rows = coefficients(k);
    double* totals = &sums_[k * n_ * kLanes];
    for (Index rest = all ^ high; rest != 0; rest &= rest - 1) {
      const Index j = kLaneBits + first(rest);
      const double* a = rows + j * kLanes;
      const double* b = &b_[(high | (rest & -rest)) * kLanes];
      double* total = totals + j * kLanes;
      for (Index l = 0; l < kLanes; ++l) {
        sum[l] += a[l] * b[l];
        total[l] += f[l] * b[l];
      }
    }
  }
  const double* a0 = coefficients(k);
  const double* a1 = a0 + kLanes;
  const double* a2 = a1 + kLanes;
  sum[6] += a0[6] * sum[7];
  sum[5] += a1[5] * sum[7];
  sum[3] += a2[3] * sum[7];
  sum[4] += a0[4] * sum[5] + a1[4] * sum[6];
  sum[2] += a0[2] * sum[3] + a2[2] * sum[6];
  sum[1] += a1[1] * sum[3] + a2[1] * sum[5];
  sum[0] += (a0[0] * sum[1] + a1[0] * sum[2]) + a2[0] * sum[4];
  for (Index j = 0; j < kLaneBits; ++j) {
    double* total = &sums_[(k * n_ + j) * kLanes];
    for (Index l = 0; l < kLanes; ++l) {
      if ((l >> j & 1) == 0) total[l] += f[l] * sum[l | Index{1} << j];
    }
  }
  std::copy(sum.begin(), sum.end(), b_.begin() + static_cast<std::ptrdiff_t>(high * kLanes));
}

void SubsetSums::collect(std::span<double> totals) const {
  std::fill(totals.begin(), totals.end(), 0.0);
  for (Index k = 0; k < n_; ++k) {
    for (Index j = 0; j < n_; ++j) {
      for (Index l = 0; l < kLanes; ++l) {
        const Index place = (k * n_ + j) * kLanes + l;
        const Index row = k + kSize[l];
        if (row < n_) totals[row * n_ + j] += layout_[place] * sums_[place];
      }
    }
  }
}

void SubsetSums::backward(std::span<double> totals) {
  assert(totals.size() == n_ * n_);
  const Index size = Index{1} << n_;
  if (b_.size() < size) b_.resize(size);
  sums_.assign(n_ * n_ * kLanes, 0.0);
  for (Index high = size / kLanes; high-- > 0;) backward_block(high);
  collect(totals);
}

}  // namespace trellis
