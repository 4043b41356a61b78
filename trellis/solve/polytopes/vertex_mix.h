// A convex combination Σ_k w_k u_k of active vertices u_k, moved to the minimum of a quadratic on
// their affine hull (Wolfe 1976; Nocedal & Wright 2006, sec. 16.5): the weights there solve
//   η (⟨u_k, u_l⟩ + 1)_kl w = r − μ1,    Σ_k w_k = 1
//
// for rewards r; μ absorbs the common part of all r, so large ones cost no digits. The Cholesky
// factor is kept, a row for each vertex. The owner of the vertices defines them, their products,
// and the vertex that joins.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

template <class Vertex>
class VertexMix {
 public:
  struct Active {
    Vertex vertex;
    double reward = 0;             // r
    double weight = 0;             // w
    std::vector<double> products;  // with those before it and itself, plus 1
    std::vector<double> factor;    // its row of the Cholesky factor
    double goal = 0;               // of its weight: at the minimum on the affine hull
    double lost = 0;               // of its row: memory of drop()
  };

  // A vertex counts as inside the affine hull of the others if less than `dependent` of its square
  // is outside.
  explicit VertexMix(double dependent) : dependent_(dependent) {}

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { resize(0); }
  Active& operator[](Index k) { return active_[k]; }
  const Active& operator[](Index k) const { return active_[k]; }

  // Memory for one more vertex, behind the others, and for its products; the first vertex gets the
  // weight 1. grow() adds it.
  Active& newcomer();
  void grow() { resize(size_ + 1); }
  void shrink() { resize(size_ - 1); }
  // Computes row k of the factor from those before it. False if the vertex depends on the others.
  bool factorize(Index k);
  // Removes vertex k; the rows of the factor before k do not change.
  void drop(Index k);
  // Moves to the goals and drops a vertex whenever its weight would become negative. False if the
  // last one leaves immediately and nothing has moved.
  bool settle(double eta);

 private:
  static constexpr double kLeastWeight = 1e-14;

  void resize(Index size) {
    size_ = size;
    ones_known_ = false;
  }
  void solve_by_factor(std::vector<double>& x) const;
  void solve_system(double eta);

  double dependent_;
  std::vector<Active> active_;  // the first size_; the others are memory
  Index size_ = 0;
  std::vector<double> goals_;
  std::vector<double> ones_;  // A⁻¹1
  bool ones_known_ = false;   // of the vertices at hand
};

template <class Vertex>
typename VertexMix<Vertex>::Active& VertexMix<Vertex>::newcomer() {
  if (active_.size() == size_) active_.emplace_back();
  Active& fresh = active_[size_];
  fresh.weight = size_ == 0 ? 1 : 0;
  fresh.products.resize(size_ + 1);
  return fresh;
}

template <class Vertex>
bool VertexMix<Vertex>::factorize(Index k) {
  Active& row = active_[k];
  row.factor.resize(k + 1);
  double rest = row.products[k];
  for (Index l = 0; l < k; ++l) {
    const std::vector<double>& other = active_[l].factor;
    double value = row.products[l];
    for (Index i = 0; i < l; ++i) value -= row.factor[i] * other[i];
    row.factor[l] = value / other[l];
    rest -= row.factor[l] * row.factor[l];
  }
  if (!(rest > dependent_ * row.products[k])) return false;
  row.factor[k] = std::sqrt(rest);
  return true;
}

// x ← A⁻¹x by the factor. Two sums avoid waiting for each other.
template <class Vertex>
void VertexMix<Vertex>::solve_by_factor(std::vector<double>& x) const {
  for (Index k = 0; k < size_; ++k) {
    const double* row = active_[k].factor.data();
    double even = 0, odd = 0;
    Index l = 0;
    for (; l + 1 < k; l += 2) {
      even += row[l] * x[l];
      odd += row[l + 1] * x[l + 1];
    }
    if (l < k) even += row[l] * x[l];
    x[k] = (x[k] - (even + odd)) / row[k];
  }
  for (Index k = size_; k-- > 0;) {
    const double* row = active_[k].factor.data();
    const double value = x[k] /= row[k];
    for (Index l = 0; l < k; ++l) x[l] -= row[l] * value;
  }
}

// goal ← A⁻¹(r − r_0 1)/η − μ A⁻¹1, of sum 1.
template <class Vertex>
void VertexMix<Vertex>::solve_system(double eta) {
  if (!ones_known_) {
    ones_.assign(size_, 1.0);
    solve_by_factor(ones_);
    ones_known_ = true;
  }
  goals_.resize(size_);
  for (Index k = 0; k < size_; ++k) goals_[k] = (active_[k].reward - active_[0].reward) / eta;
  solve_by_factor(goals_);
  double sum = 0, sum_of_ones = 0;
  for (Index k = 0; k < size_; ++k) {
    sum += goals_[k];
    sum_of_ones += ones_[k];
  }
  const double mu = (sum - 1) / sum_of_ones;
  for (Index k = 0; k < size_; ++k) active_[k].goal = goals_[k] - mu * ones_[k];
}

template <class Vertex>
void VertexMix<Vertex>::drop(Index k) {
  const auto first = active_.begin() + static_cast<std::ptrdiff_t>(k);
  std::rotate(first, first + 1, active_.begin() + static_cast<std::ptrdiff_t>(size_));
  shrink();
  const auto place = static_cast<std::ptrdiff_t>(k);
  for (Index l = k; l < size_; ++l) {
    Active& row = active_[l];
    row.lost = row.factor[k];
    row.products.erase(row.products.begin() + place);
    row.factor.erase(row.factor.begin() + place);
  }
  // L Lᵀ + v vᵀ for the removed column v (Golub & Van Loan 2013, sec. 6.5.4).
  for (Index j = k; j < size_; ++j) {
    const double diagonal = active_[j].factor[j], lost = active_[j].lost;
    const double length = std::sqrt(diagonal * diagonal + lost * lost);
    const double cosine = diagonal / length, sine = lost / length;
    active_[j].factor[j] = length;
    for (Index l = j + 1; l < size_; ++l) {
      Active& row = active_[l];
      const double entry = row.factor[j];
      row.factor[j] = cosine * entry + sine * row.lost;
      row.lost = cosine * row.lost - sine * entry;
    }
  }
}

template <class Vertex>
bool VertexMix<Vertex>::settle(double eta) {
  bool welcome = true;
  for (bool first = true; size_ > 1; first = false) {
    solve_system(eta);
    double step = 1;
    Index leaving = size_;
    for (Index k = 0; k < size_; ++k) {
      const Active& active = active_[k];
      if (active.goal > kLeastWeight) continue;
      const double fall = active.weight - active.goal;
      const double reach = fall > 0 ? active.weight / fall : 0;
      if (leaving == size_ || reach < step) {
        step = std::min(1.0, reach);
        leaving = k;
      }
    }
    for (Index k = 0; k < size_; ++k) {
      active_[k].weight += step * (active_[k].goal - active_[k].weight);
    }
    if (leaving == size_) return welcome;
    if (first && leaving + 1 == size_ && step == 0) welcome = false;
    drop(leaving);
  }
  active_[0].weight = 1;
  return welcome;
}

}  // namespace trellis
