#include "trellis/solve/vectors/dense_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

constexpr ProductSize kSizes[] = {{1, 1, 1},   {3, 0, 2},   {4, 7, 8},    {5, 8, 9},
                                  {9, 256, 8}, {2, 257, 3}, {13, 600, 17}};

std::vector<double> normal_entries(Index rows, Index stride, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(rows * stride);
  for (double& value : x) value = random.normal();
  return x;
}

// As the header says it: stretches from 0 on, added to C.
double entry(const ProductSize& size, double sign, const double* a, const double* b, Index b_step,
             double c) {
  for (Index k = 0; k < size.depth; k += kProductDepth) {
    double stretch = 0;
    for (Index l = k; l < std::min(k + kProductDepth, size.depth); ++l) {
      stretch += a[l] * b[l * b_step];
    }
    c += sign * stretch;
  }
  return c;
}

TEST(DenseProducts, AddUpInTheirOrderOnEveryTarget) {
  for (const ProductSize& size : kSizes) {
    for (const bool transposed : {false, true}) {
      for (const double sign : {1.0, -1.0}) {
        const Index a_stride = size.depth + 2, c_stride = size.columns + 3;
        const Index b_rows = transposed ? size.columns : size.depth;
        const Index b_stride = (transposed ? size.depth : size.columns) + 1;
        const std::vector<double> a = normal_entries(size.rows, a_stride, 1);
        const std::vector<double> b = normal_entries(std::max<Index>(b_rows, 1), b_stride, 2);
        const std::vector<double> before = normal_entries(size.rows, c_stride, 3);
        std::vector<double> expected = before;
        for (Index i = 0; i < size.rows; ++i) {
          for (Index j = 0; j < size.columns; ++j) {
            expected[i * c_stride + j] = entry(
                size, sign, a.data() + i * a_stride, b.data() + (transposed ? j * b_stride : j),
                transposed ? 1 : b_stride, expected[i * c_stride + j]);
          }
        }
        for (const std::vector<double>& found : on_each_target([&] {
               std::vector<double> c = before;
               const auto add = transposed ? add_product_transposed : add_product;
               add(size, sign, {a.data(), a_stride}, {b.data(), b_stride}, {c.data(), c_stride});
               return c;
             })) {
          EXPECT_EQ(found, expected) << size.rows << "×" << size.depth << "×" << size.columns;
        }
      }
    }
  }
}

// A triangle whose solutions are well conditioned; above the diagonal stands what must not be read.
std::vector<double> triangle(Index rank, Index stride) {
  std::vector<double> l = normal_entries(rank, stride, 4);
  for (Index i = 0; i < rank; ++i) {
    for (Index j = 0; j < stride; ++j) {
      double& value = l[i * stride + j];
      value = j > i ? std::nan("") : i == j ? 2 + std::abs(value) : value / 10;
    }
  }
  return l;
}

TEST(DenseProducts, SolutionsWithATriangleGiveBackWhatWasThere) {
  for (const Index rank : {1, 2, 63, 64, 65, 200, 333}) {
    const Index stride = rank + 1, others = 7;
    const std::vector<double> l = triangle(rank, stride);
    const std::vector<double> rows = normal_entries(others, stride, 5);
    const std::vector<double> columns = normal_entries(rank, others, 6);
    const auto solved = on_each_target([&] {
      std::vector<std::vector<double>> x = {rows, columns};
      solve_rows({l.data(), stride}, rank, {x[0].data(), stride}, others);
      solve_columns({l.data(), stride}, rank, {x[1].data(), others}, others);
      return x;
    });
    for (const auto& x : solved) EXPECT_EQ(x, solved[0]);
    double error = 0;
    for (Index i = 0; i < others; ++i) {
      for (Index j = 0; j < rank; ++j) {
        double row = 0, column = 0;
        for (Index k = 0; k <= j; ++k) row += solved[0][0][i * stride + k] * l[j * stride + k];
        for (Index k = j; k < rank; ++k) column += l[k * stride + j] * solved[0][1][k * others + i];
        error = std::max({error, std::abs(row - rows[i * stride + j]),
                          std::abs(column - columns[j * others + i])});
      }
      EXPECT_EQ(solved[0][0][i * stride + rank], rows[i * stride + rank]);  // beyond X
    }
    EXPECT_LT(error, 1e-12) << rank;
  }
}

}  // namespace
}  // namespace trellis
