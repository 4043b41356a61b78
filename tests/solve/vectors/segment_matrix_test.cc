#include "trellis/solve/vectors/segment_matrix.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "each_target.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

// A random pattern: groups of 0 to 6 rows and 1 to 40 columns, the tables of rows in no order.
struct Pattern {
  std::vector<SegmentMatrix::Group> groups;
  std::vector<SegmentMatrix::Row> rows;
  std::uint32_t num_columns = 0, num_entries = 0, width = 0;

  SegmentMatrix matrix() const { return {groups, rows}; }
};

Pattern random_pattern(Random& random) {
  Pattern pattern;
  const Index groups = 1 + random.below(4);
  for (Index g = 0; g < groups; ++g) {
    const auto width = static_cast<std::uint32_t>(1 + random.below(40));
    const auto begin = static_cast<std::uint32_t>(pattern.rows.size());
    const auto end = begin + static_cast<std::uint32_t>(random.below(7));
    pattern.groups.push_back(
        {pattern.num_columns, width, begin, end, static_cast<std::uint32_t>(random.below(3))});
    for (std::uint32_t row = begin; row < end; ++row) {
      pattern.num_entries += static_cast<std::uint32_t>(random.below(3));
      pattern.rows.push_back({row, pattern.num_entries});
      pattern.num_entries += width;
    }
    pattern.num_columns += width;
    pattern.width = std::max(pattern.width, width);
  }
  // Rows get their numbers in the opposite order of their entries.
  for (auto& row : pattern.rows)
    row.row = static_cast<std::uint32_t>(pattern.rows.size()) - 1 - row.row;
  return pattern;
}

std::vector<double> uniforms(Index size, Random& random) {
  std::vector<double> x(size);
  for (double& value : x) value = random.uniform();
  return x;
}

// Calls visit(group, row, entry, column, diagonal) for each entry of the pattern.
template <class Visit>
void for_each_entry(const Pattern& pattern, const Visit& visit) {
  for (const auto& group : pattern.groups) {
    for (std::uint32_t r = group.rows_begin; r < group.rows_end; ++r) {
      for (std::uint32_t i = 0; i < group.width; ++i) {
        visit(pattern.rows[r].row, pattern.rows[r].entries + i, group.first_column + i,
              group.diagonal + i);
      }
    }
  }
}

class SegmentMatrixTest : public testing::Test {
 protected:
  void draw(Random& random) {
    pattern = random_pattern(random);
    m = uniforms(pattern.num_entries, random);
    x = uniforms(pattern.rows.size(), random);
    y = uniforms(pattern.num_columns, random);
    d = uniforms(pattern.width + 3, random);
  }

  Pattern pattern;
  std::vector<double> m, x, y, d;
};

TEST_F(SegmentMatrixTest, ForwardStepsEqualTheirDefinition) {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    draw(random);
    std::vector<double> sums(pattern.num_columns, 0), maxima(pattern.num_columns, -kInfinity);
    std::vector<double> diagonal(pattern.num_columns);
    for (const auto& group : pattern.groups) {
      for (std::uint32_t i = 0; i < group.width; ++i) {
        diagonal[group.first_column + i] = d[group.diagonal + i];
      }
    }
    for_each_entry(pattern, [&](auto u, auto e, auto v, auto) {
      sums[v] += x[u] * m[e];
      maxima[v] = std::max(maxima[v], x[u] + m[e]);
    });
    std::vector<double> out(pattern.num_columns + 1, -5);
    const MessageRange range =
        multiply(pattern.matrix(), m.data(), x.data(), d.data(), 0.25, out.data());
    MessageRange expected{0, kInfinity};
    for (Index v = 0; v < pattern.num_columns; ++v) {
      EXPECT_NEAR(out[v], sums[v] * diagonal[v] * 0.25, 1e-14);
      expected.largest = std::max(expected.largest, out[v]);
      if (out[v] > 0) expected.smallest_positive = std::min(expected.smallest_positive, out[v]);
    }
    EXPECT_EQ(range.largest, expected.largest);
    EXPECT_EQ(range.smallest_positive, expected.smallest_positive);
    max_plus(pattern.matrix(), m.data(), x.data(), d.data(), out.data());
    for (Index v = 0; v < pattern.num_columns; ++v) EXPECT_EQ(out[v], maxima[v] + diagonal[v]);
    EXPECT_EQ(out.back(), -5.0);
  }
}

TEST_F(SegmentMatrixTest, BackwardStepsEqualTheirDefinition) {
  Random random(12);
  for (int trial = 0; trial < 300; ++trial) {
    draw(random);
    std::vector<double> dots(x.size(), 0), exponentials(x.size(), 0), out(x.size());
    for_each_entry(pattern, [&](auto u, auto e, auto v, auto) {
      dots[u] += m[e] * y[v];
      exponentials[u] += std::exp(m[e] + y[v]);
    });
    multiply_rows(pattern.matrix(), m.data(), y.data(), out.data());
    for (Index u = 0; u < x.size(); ++u) EXPECT_NEAR(out[u], dots[u], 1e-13);
    log_sum_rows(pattern.matrix(), m.data(), y.data(), out.data());
    for (Index u = 0; u < x.size(); ++u) EXPECT_NEAR(out[u], std::log(exponentials[u]), 1e-13);
  }
}

TEST_F(SegmentMatrixTest, OuterProductsEqualTheirDefinition) {
  Random random(13);
  for (int trial = 0; trial < 300; ++trial) {
    draw(random);
    const Index count = 1 + random.below(5), stride = x.size() + y.size();
    const std::vector<double> left = uniforms(count * stride, random);
    const std::vector<double> right = uniforms(count * stride, random);
    std::vector<double> sums = uniforms(m.size(), random), expected = sums;
    for_each_entry(pattern, [&](auto u, auto e, auto v, auto) {
      for (Index t = 0; t < count; ++t)
        expected[e] += m[e] * left[t * stride + u] * right[t * stride + v];
    });
    add_outer(pattern.matrix(), m.data(), left.data(), right.data(), count, stride, sums.data());
    for (Index e = 0; e < m.size(); ++e) EXPECT_NEAR(sums[e], expected[e], 1e-14);
  }
}

TEST_F(SegmentMatrixTest, PropagationKeepsTheMass) {
  Random random(14);
  for (int trial = 0; trial < 300; ++trial) {
    draw(random);
    for (double& value : m) value = random.below(5) == 0 ? -kInfinity : 1e3 * value;
    for (const auto& row : pattern.rows) m[row.entries] = 0;  // something is always possible
    if (!x.empty()) x[0] = 0;
    std::vector<double> q(y.size(), 0), sums(m.size(), 0), buffer(pattern.width);
    propagate(pattern.matrix(), m.data(), y.data(), x.data(), q.data(), sums.data(), buffer.data());
    std::vector<double> by_row(x.size(), 0), by_column(y.size(), 0);
    for_each_entry(pattern, [&](auto u, auto e, auto v, auto) {
      by_row[u] += sums[e];
      by_column[v] += sums[e];
      EXPECT_TRUE(m[e] > -kInfinity || sums[e] == 0);
    });
    for (Index u = 0; u < x.size(); ++u) EXPECT_NEAR(by_row[u], x[u], 1e-14);
    for (Index v = 0; v < y.size(); ++v) EXPECT_NEAR(by_column[v], q[v], 1e-14);
    std::vector<double> again(y.size(), 0);
    propagate(pattern.matrix(), m.data(), y.data(), x.data(), again.data(), nullptr, buffer.data());
    EXPECT_EQ(again, q);
  }
}

TEST_F(SegmentMatrixTest, ColumnsThatNothingReachesAreLeftOut) {
  Random random(15);
  for (int trial = 0; trial < 100; ++trial) {
    draw(random);
    std::vector<double> a = uniforms(y.size(), random), out(y.size()), total(d.size(), 0);
    a[random.below(a.size())] = 0;
    std::vector<double> b = y;
    for (Index v = 0; v < a.size(); ++v) {
      if (a[v] == 0) b[v] = 1e308;
    }
    weigh_columns(pattern.matrix(), a.data(), b.data(), d.data(), 4.0, out.data(), total.data());
    std::vector<double> expected(d.size(), 0);
    for (const auto& group : pattern.groups) {
      for (std::uint32_t i = 0; i < group.width; ++i) {
        const Index v = group.first_column + i;
        expected[group.diagonal + i] += a[v] * b[v];
        EXPECT_EQ(out[v], a[v] == 0 ? 0.0 : b[v] * d[group.diagonal + i] * 4.0);
      }
    }
    EXPECT_EQ(total, expected);
  }
}

TEST_F(SegmentMatrixTest, SameBitsOnEveryTarget) {
  const auto results = on_each_target([&] {
    Random random(16);
    std::vector<std::uint64_t> bits;
    const auto record = [&](const std::vector<double>& values) {
      for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    };
    for (int trial = 0; trial < 50; ++trial) {
      draw(random);
      const SegmentMatrix matrix = pattern.matrix();
      std::vector<double> columns(y.size(), 0), rows(x.size(), 0), sums(m.size(), 0);
      std::vector<double> total(d.size(), 0), buffer(pattern.width);
      multiply(matrix, m.data(), x.data(), d.data(), 0.5, columns.data());
      record(columns);
      std::vector<double> weighed(y.size());
      weigh_columns(matrix, columns.data(), y.data(), d.data(), 2.0, weighed.data(), total.data());
      record(weighed);
      record(total);
      max_plus(matrix, m.data(), x.data(), d.data(), columns.data());
      record(columns);
      multiply_rows(matrix, m.data(), y.data(), rows.data());
      record(rows);
      log_sum_rows(matrix, m.data(), y.data(), rows.data());
      record(rows);
      add_outer(matrix, m.data(), x.data(), y.data(), 1, 0, sums.data());
      propagate(matrix, m.data(), y.data(), x.data(), columns.data(), sums.data(), buffer.data());
      record(sums);
      record(columns);
    }
    return bits;
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace trellis
