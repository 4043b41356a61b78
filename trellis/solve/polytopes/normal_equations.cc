#include "trellis/solve/polytopes/normal_equations.h"

#include <algorithm>

namespace trellis {

// Each pair of terms of a column, as row ≥ column of the lower half.
template <class Visit>
void NormalEquations::each_pair(const Visit& visit) const {
  for (Index p = 0; p < rows_.num_columns(); ++p) {
    for (const PolytopeRows::Term& a : rows_.column(p)) {
      for (const PolytopeRows::Term& b : rows_.column(p)) {
        if (a.row >= b.row) visit(static_cast<int>(a.row), static_cast<int>(b.row));
      }
    }
  }
}

Index NormalEquations::place(int row, int column) const {
  const int* rows = matrix_.innerIndexPtr();
  const int* begin = rows + matrix_.outerIndexPtr()[column];
  const int* end = rows + matrix_.outerIndexPtr()[column + 1];
  return static_cast<Index>(std::lower_bound(begin, end, row) - rows);
}

NormalEquations::NormalEquations(const PolytopeRows& rows) : rows_(rows) {
  const auto m = static_cast<int>(rows.num_rows());
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int i = 0; i < m; ++i) entries.emplace_back(i, i, 1.0);
  each_pair([&](int i, int k) { entries.emplace_back(i, k, 0.0); });
  matrix_.resize(m, m);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  matrix_.makeCompressed();
  each_pair([&](int i, int k) { places_.push_back(static_cast<std::uint32_t>(place(i, k))); });
  for (int i = 0; i < m; ++i) diagonal_places_.push_back(static_cast<std::uint32_t>(place(i, i)));
  if (m > 0) ldlt_.analyzePattern(matrix_);
}

void NormalEquations::factorize(std::span<const double> weights, std::span<const double> diagonal,
                                std::span<const std::uint8_t> held) {
  if (diagonal_places_.empty()) return;
  const auto is_held = [&](Index i) { return !held.empty() && held[i] != 0; };
  double* values = matrix_.valuePtr();
  std::fill(values, values + matrix_.nonZeros(), 0.0);
  const std::uint32_t* next = places_.data();
  for (Index p = 0; p < rows_.num_columns(); ++p) {
    const std::span<const PolytopeRows::Term> column = rows_.column(p);
    if (weights[p] == 0) {
      next += column.size() * (column.size() + 1) / 2;
      continue;
    }
    for (const PolytopeRows::Term& a : column) {
      const double value = weights[p] * a.value;
      for (const PolytopeRows::Term& b : column) {
        if (a.row < b.row) continue;
        if (!is_held(a.row) && !is_held(b.row)) values[*next] += value * b.value;
        ++next;
      }
    }
  }
  for (Index i = 0; i < diagonal_places_.size(); ++i) {
    values[diagonal_places_[i]] += is_held(i) ? 1.0 : diagonal[i];
  }
  ldlt_.factorize(matrix_);
}

void NormalEquations::solve(std::span<const double> right, std::span<double> x) {
  if (diagonal_places_.empty()) return;
  const auto m = static_cast<Eigen::Index>(right.size());
  solution_ = ldlt_.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), m));
  std::copy(solution_.data(), solution_.data() + m, x.begin());
}

}  // namespace trellis
