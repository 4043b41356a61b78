// A learner's run and its result, to compare with another.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "trellis/learn/frame/learner.h"

namespace trellis::testing {

struct RunResult {
  LearnSummary summary;
  std::vector<double> w;
};

inline bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// All of two runs but the time.
inline void expect_same_bits(const RunResult& a, const RunResult& b) {
  ASSERT_EQ(a.w.size(), b.w.size());
  EXPECT_EQ(std::memcmp(a.w.data(), b.w.data(), a.w.size() * sizeof(double)), 0);
  EXPECT_EQ(a.summary.termination, b.summary.termination);
  ASSERT_EQ(a.summary.history.size(), b.summary.history.size());
  for (Index k = 0; k < a.summary.history.size(); ++k) {
    const EpochRecord& x = a.summary.history[k];
    const EpochRecord& y = b.summary.history[k];
    EXPECT_EQ(x.epoch, y.epoch);
    EXPECT_EQ(x.updates, y.updates);
    EXPECT_EQ(x.weights_touched, y.weights_touched);
    EXPECT_EQ(x.negative_losses, y.negative_losses);
    EXPECT_EQ(x.passes, y.passes);
    EXPECT_EQ(x.inference, y.inference);
    EXPECT_TRUE(same_bits(x.loss, y.loss)) << x.loss << " and " << y.loss;
    EXPECT_TRUE(same_bits(x.objective, y.objective)) << x.objective << " and " << y.objective;
    EXPECT_TRUE(same_bits(x.bound, y.bound)) << x.bound << " and " << y.bound;
    EXPECT_TRUE(same_bits(x.missed, y.missed)) << x.missed << " and " << y.missed;
    EXPECT_TRUE(same_bits(x.dev, y.dev)) << x.dev << " and " << y.dev;
  }
}

inline LearnControl certified(double gap_tolerance = 0) {
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = gap_tolerance;
  return control;
}

}  // namespace trellis::testing
