#include "trellis/solve/polytopes/factor_size.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

namespace trellis {

FactorSize factor_size(Index dimension, std::span<const std::pair<Index, Index>> entries,
                       Index most_nonzeros) {
  using Matrix = Eigen::SparseMatrix<float>;
  const auto n = static_cast<Matrix::StorageIndex>(dimension);
  std::vector<Eigen::Triplet<float>> places;
  places.reserve(entries.size() + dimension);
  for (Matrix::StorageIndex j = 0; j < n; ++j) places.emplace_back(j, j, 1.0F);
  for (const auto& [row, column] : entries) {
    const auto a = static_cast<Matrix::StorageIndex>(row);
    const auto b = static_cast<Matrix::StorageIndex>(column);
    places.emplace_back(std::max(a, b), std::min(a, b), 1.0F);
  }
  Matrix matrix(n, n);
  matrix.setFromTriplets(places.begin(), places.end());
  Eigen::AMDOrdering<Matrix::StorageIndex>::PermutationType order;
  Eigen::AMDOrdering<Matrix::StorageIndex>()(matrix.selfadjointView<Eigen::Lower>(), order);
  Matrix ordered(n, n);
  ordered.selfadjointView<Eigen::Upper>() =
      matrix.selfadjointView<Eigen::Lower>().twistedBy(order.inverse());

  // Row k of the factor has the columns on the paths from its entries to k in the tree.
  std::vector<Matrix::StorageIndex> parent(dimension, -1), seen(dimension, -1);
  std::vector<Index> counts(dimension, 1);
  FactorSize size{dimension, 0};
  for (Matrix::StorageIndex k = 0; k < n; ++k) {
    seen[static_cast<Index>(k)] = k;
    for (Matrix::InnerIterator entry(ordered, k); entry; ++entry) {
      for (auto j = static_cast<Index>(entry.row()); j < static_cast<Index>(k) && seen[j] != k;
           j = static_cast<Index>(parent[j])) {
        if (parent[j] < 0) parent[j] = k;
        seen[j] = k;
        ++counts[j];
        ++size.nonzeros;
      }
    }
    if (size.nonzeros > most_nonzeros) break;
  }
  for (const Index count : counts) {
    size.operations += static_cast<double>(count) * static_cast<double>(count);
  }
  return size;
}

}  // namespace trellis
