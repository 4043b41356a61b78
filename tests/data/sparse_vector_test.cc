#include "trellis/data/sparse_vector.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace trellis {
namespace {

constexpr Index kDimension = 60;
using Dense = std::vector<double>;

// Runs of every kind: empty, touching, far apart; small integers, so that all sums are exact.
SparseVector arbitrary_sparse() {
  SparseVector v;
  Index begin = 0;
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    begin += *rc::gen::inRange<Index>(0, 8);
    const Index size = *rc::gen::inRange<Index>(0, 6);
    if (begin + size > kDimension) break;
    for (double& value : v.append(begin, size)) value = *rc::gen::inRange(-3, 4);
    begin += size;
  }
  return v;
}

Dense dense(const SparseVector& v) {
  Dense out(kDimension, 0.0);
  v.add_to(out, 1.0);
  return out;
}

double dot(const Dense& a, const Dense& b) {
  double sum = 0;
  for (Index i = 0; i < kDimension; ++i) sum += a[i] * b[i];
  return sum;
}

void check_runs(const SparseVector& v) {
  Index end = 0, stored = 0;
  for (const SparseVector::Run& run : v.runs()) {
    RC_ASSERT(run.begin >= end);
    end = run.begin + run.size;
    stored += run.size;
  }
  RC_ASSERT(v.num_stored() == stored);
}

TEST(SparseVector, AppendedRunsAreZeroAndWritable) {
  SparseVector v;
  EXPECT_TRUE(v.empty());
  const std::span<double> run = v.append(3, 2);
  EXPECT_EQ(Dense(run.begin(), run.end()), (Dense{0, 0}));
  run[1] = 5;
  v.append(5, 1)[0] = 7;
  ASSERT_EQ(v.runs().size(), 2u);
  EXPECT_EQ(v.values(v.runs()[0])[1], 5);
  EXPECT_EQ(v.values(v.runs()[1])[0], 7);
  v.clear();
  EXPECT_TRUE(v.empty());
  EXPECT_EQ(v.append(0, 4)[3], 0) << "zeros again, in memory that was used before";
}

TEST(SparseVector, AlgebraEqualsDenseAlgebra) {
  rc::check([] {
    const SparseVector a = arbitrary_sparse(), b = arbitrary_sparse();
    const Dense x = dense(a), y = dense(b);
    RC_ASSERT(a.dot(y) == dot(x, y));
    RC_ASSERT(a.dot(b) == dot(x, y));
    RC_ASSERT(b.dot(a) == dot(x, y));
    RC_ASSERT(a.squared_norm() == dot(x, x));

    Dense expected = y;
    for (Index i = 0; i < kDimension; ++i) expected[i] += 2 * x[i];
    Dense sum = y;
    a.add_to(sum, 2);
    RC_ASSERT(sum == expected);

    SparseVector merged = b;
    merged.add(a, 2);
    check_runs(merged);
    RC_ASSERT(dense(merged) == expected);

    merged.scale(-0.5);
    for (double& value : expected) value *= -0.5;
    RC_ASSERT(dense(merged) == expected);
  });
}

TEST(SparseVector, AddingWithinTheSupportKeepsTheRuns) {
  rc::check([] {
    const SparseVector a = arbitrary_sparse();
    SparseVector sum = arbitrary_sparse();
    sum.add(a, 1);
    const std::vector<Index> stored{sum.runs().size(), sum.num_stored()};
    sum.add(a, -1);
    sum.add(sum, 1);
    RC_ASSERT((std::vector<Index>{sum.runs().size(), sum.num_stored()}) == stored);
  });
}

TEST(SparseVector, AssignDenseStoresJustTheNonZeros) {
  rc::check([] {
    const Dense x = dense(arbitrary_sparse());
    SparseVector v = arbitrary_sparse();
    v.assign_dense(x);
    check_runs(v);
    RC_ASSERT(dense(v) == x);
    for (const SparseVector::Run& run : v.runs()) {
      for (const double value : v.values(run)) RC_ASSERT(value != 0);
      // RC_ASSERT would look at both sides of an "or".
      const Index end = run.begin + run.size;
      const bool ends_there = end == kDimension || x[end] == 0;
      RC_ASSERT(ends_there);
    }
  });
}

}  // namespace
}  // namespace trellis
