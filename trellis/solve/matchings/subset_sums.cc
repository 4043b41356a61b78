#include "trellis/solve/matchings/subset_sums.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/solve/draw.h"

namespace trellis {

namespace {

constexpr std::array<Index, SubsetCoefficients::kLanes> kSize = {0, 1, 1, 2,
                                                                 1, 2, 2, 3};  // of a lane's set

// The coefficients of the steps within a block, by fours: nine of forward_lanes, then nine of
// backward_lanes. `a` is a row of the layout.
void write_quads(const double* a, double* quads) {
  constexpr Index kLanes = SubsetCoefficients::kLanes;
  const double* a0 = a;
  const double* a1 = a0 + kLanes;
  const double* a2 = a1 + kLanes;
  const double rows[SubsetCoefficients::kQuads][4] = {
      // {1}, {2} from ∅; {4} from ∅; {1,2}; {1,4}, {2,4}; {1,2,4}
      {0, a0[0], a1[0], 0},
      {a2[0], 0, 0, 0},
      {0, 0, 0, a0[2]},
      {0, 0, 0, a1[1]},
      {0, a0[4], a1[4], 0},
      {0, a2[1], a2[2], 0},
      {0, 0, 0, a0[6]},
      {0, 0, 0, a1[5]},
      {0, 0, 0, a2[3]},
      // and back
      {0, a1[5], a0[6], 0},
      {0, 0, 0, a2[3]},
      {a0[4], 0, 0, 0},
      {a1[4], 0, 0, 0},
      {0, a1[1], a0[2], 0},
      {0, a2[1], a2[2], 0},
      {a0[0], 0, 0, 0},
      {a1[0], 0, 0, 0},
      {a2[0], 0, 0, 0}};
  std::copy(&rows[0][0], &rows[0][0] + 4 * SubsetCoefficients::kQuads, quads);
}

}  // namespace

void SubsetSums::lay_out(std::span<const double> a) {
  layout_.assign(n_ * n_ * kLanes, 0.0);
  for (Index k = 0; k < n_; ++k) {
    for (Index l = 0; l < kLanes; ++l) {
      if (k + kSize[l] >= n_) continue;
      const double* row = &a[(k + kSize[l]) * n_];
      for (Index j = 0; j < n_; ++j) {
        layout_[(k * n_ + j) * kLanes + l] = row[j] < kTiny ? 0 : row[j];
      }
    }
  }
  quads_.resize(n_ * kQuads * 4);
  for (Index k = 0; k < n_; ++k) write_quads(coefficients().of(k), &quads_[k * kQuads * 4]);
}

void SubsetSums::forward(Index n, std::span<const double> a) {
  assert(n >= kSmallest && n < 32 && a.size() == n * n);
  n_ = n;
  lay_out(a);
  const Index size = Index{1} << n;
  if (f_.size() < size) f_.resize(size);
  sum_subsets_forward(coefficients(), f_.data());
}

// The last row first: given that S is left for rows 0 … |S|−1, row |S|−1 takes j ∈ S with
// probability a_{|S|−1,j} f(S∖j) / f(S).
void SubsetSums::draw(Random& random, std::span<Label> columns) const {
  assert(columns.size() == n_);
  std::array<double, 32> weights{};
  Index set = (Index{1} << n_) - 1;
  for (Index i = n_; i-- > 0;) {
    const double* a = coefficients().of(i);  // in lane 0
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
        if (j < 3 && (l >> j & 1) != 0) continue;  // j is in the set
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
  sum_subsets_backward(coefficients(), f_.data(), b_.data(), sums_.data());
  collect(totals);
}

}  // namespace trellis
