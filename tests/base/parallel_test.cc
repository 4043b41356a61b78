#include "trellis/base/parallel.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

struct Sum {
  double value = 0;
  std::vector<double> vector;
  bool operator==(const Sum&) const = default;
};

// Numbers of very different sizes, so that any other order of additions shows in the last bits.
double term(Index i, Index j) {
  Random random(3, i, j);
  // In two statements: compilers differ in which argument of a call they draw first.
  const auto exponent = static_cast<int>(random.below(40));
  return std::ldexp(random.uniform() - 0.5, exponent);
}

Sum sum_terms(Index n, Index dimension, int threads) {
  Sum sum;
  sum.vector.assign(dimension, 123.0);  // must be overwritten
  sum.value = parallel_sum(n, threads, sum.vector,
                           [&](Index begin, Index end, int worker, std::span<double> partial) {
                             EXPECT_GE(worker, 0);
                             EXPECT_LT(worker, threads);
                             double value = 0;
                             for (Index i = begin; i < end; ++i) {
                               value += term(i, dimension);
                               for (Index j = 0; j < partial.size(); ++j) partial[j] += term(i, j);
                             }
                             return value;
                           });
  return sum;
}

TEST(ResolveThreads, ZeroMeansAllCores) {
  EXPECT_GE(resolve_threads(0), 1);
  EXPECT_EQ(resolve_threads(3), 3);
  EXPECT_THROW(resolve_threads(-1), UsageError);
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const Index n : {0, 1, 2, 7, 1000, 100000}) {
    for (const int threads : {0, 1, 2, 5}) {
      std::vector<std::atomic<int>> calls(n);
      parallel_for(n, threads, [&](Index i, int) { ++calls[i]; });
      for (Index i = 0; i < n; ++i) ASSERT_EQ(calls[i], 1) << i;
    }
  }
}

// Unsynchronised counters: under the thread sanitizer two threads with one number would show.
TEST(ParallelFor, WorkersDoNotShareScratch) {
  const int threads = 4;
  std::vector<Index> scratch(threads, 0);
  parallel_for(100000, threads, [&](Index, int worker) { ++scratch[static_cast<Index>(worker)]; });
  EXPECT_EQ(std::accumulate(scratch.begin(), scratch.end(), Index{0}), 100000u);
}

TEST(ParallelFor, NestedLoopsKeepTheirScratchApart) {
  std::vector<Index> outer(2, 0);
  std::atomic<Index> total{0};
  parallel_for(20, 2, [&](Index, int worker) {
    const Index before = ++outer[static_cast<Index>(worker)];
    parallel_for(100, 2, [&](Index, int) { ++total; });
    EXPECT_EQ(outer[static_cast<Index>(worker)], before);
  });
  EXPECT_EQ(total, 2000u);
}

TEST(ParallelFor, ExceptionsReachTheCaller) {
  for (const int threads : {1, 2, 4}) {
    const auto fail = [&] {
      parallel_for(1000, threads, [](Index i, int) {
        if (i == 500) throw InputError("file", 500, "is wrong");
      });
    };
    EXPECT_THROW(fail(), InputError);
  }
}

TEST(ParallelSum, HasTheSameBitsForEveryNumberOfThreads) {
  for (const Index n : {1, 2, 3, 7, 8, 100, 1000}) {
    for (const Index dimension : {0, 1, 5, 40}) {
      const Sum expected = sum_terms(n, dimension, 1);
      for (const int threads : {2, 3, 4, 16}) {
        for (int repetition = 0; repetition < 3; ++repetition) {
          EXPECT_EQ(sum_terms(n, dimension, threads), expected) << n << ' ' << dimension;
        }
      }
    }
  }
}

TEST(ParallelSum, BitsAreFrozen) {
  const Sum sum = sum_terms(1000, 2, 2);
  EXPECT_EQ(sum.value, 0x1.2ef0f6ac68bf3p+40);
  EXPECT_EQ(sum.vector[0], 0x1.01c4b29a69318p+39);
  EXPECT_EQ(sum.vector[1], -0x1.566da24e6bfa2p+39);
}

TEST(ParallelSum, SumsIntegersExactly) {
  rc::check([] {
    const Index n = *rc::gen::inRange<Index>(0, 300);
    const Index dimension = *rc::gen::inRange<Index>(0, 2000);
    const int threads = *rc::gen::inRange(1, 4);
    std::vector<double> sum(dimension, -1.0);
    const double value =
        parallel_sum(n, threads, sum, [&](Index begin, Index end, int, std::span<double> partial) {
          for (const double x : partial) RC_ASSERT(x == 0);
          for (Index i = begin; i < end; ++i) {
            for (Index j = i % 3; j < dimension; j += 3) partial[j] += static_cast<double>(i + j);
          }
          return static_cast<double>(end - begin);
        });
    RC_ASSERT(value == static_cast<double>(n));
    for (Index j = 0; j < dimension; ++j) {
      double expected = 0;
      for (Index i = j % 3; i < n; i += 3) expected += static_cast<double>(i + j);
      RC_ASSERT(sum[j] == expected);
    }
  });
}

TEST(ParallelSum, ReusedBuffersChangeNothing) {
  SumBuffers buffers;
  const SumBody body = [](Index begin, Index end, int, std::span<double> partial) {
    for (Index i = begin; i < end; ++i) {
      for (Index j = i % 50; j < partial.size(); j += 50) partial[j] += term(i, j);
    }
    return 1.0;
  };
  const SumBody failing = [&](Index begin, Index end, int worker, std::span<double> partial) {
    body(begin, end, worker, partial);
    if (begin <= 50 && 50 < end) throw std::runtime_error("in a body");
    return 0.0;
  };
  for (const Index dimension : {100, 1000, 1000, 300}) {
    std::vector<double> expected(dimension), sum(dimension);
    const double value = parallel_sum(100, 1, expected, body);
    EXPECT_THROW(parallel_sum(100, 2, sum, failing, buffers), std::runtime_error);
    EXPECT_EQ(parallel_sum(100, 2, sum, body, buffers), value);
    EXPECT_EQ(sum, expected);
  }
}

TEST(ParallelSum, ExceptionsReachTheCaller) {
  for (const int threads : {1, 2, 4}) {
    std::vector<double> sum(10);
    const auto fail = [&] {
      parallel_sum(1000, threads, sum, [](Index begin, Index end, int, std::span<double>) {
        if (begin <= 500 && 500 < end) throw std::runtime_error("in a body");
        return 0.0;
      });
    };
    EXPECT_THROW(fail(), std::runtime_error);
  }
}

}  // namespace
}  // namespace trellis
