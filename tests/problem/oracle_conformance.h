// What every oracle promises, checked from outside: the piece touches the function at w,
// accumulate() says the same as evaluate(), slopes are gradients (smooth) and pieces lie below
// (convex).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/oracle/oracle.h"

namespace trellis::testing {

// An oracle may leave some coordinates unused; this sets them to 0.
using Restrict = std::function<void(std::vector<double>&)>;

inline std::vector<double> random_weights(Index n, double size, Random& random,
                                          const Restrict& restrict_to = {}) {
  std::vector<double> w(n);
  for (double& weight : w) weight = size * random.normal();
  if (restrict_to) restrict_to(w);
  return w;
}

inline double value_at(const Oracle& oracle, Index i, const std::vector<double>& w) {
  const auto scratch = oracle.make_scratch();
  Cut cut;
  return oracle.evaluate(i, w, *scratch, cut);
}

inline void expect_touching(const Oracle& oracle, std::uint64_t seed,
                            const Restrict& restrict_to = {}) {
  Random random(seed);
  const auto scratch = oracle.make_scratch();
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> w = random_weights(oracle.dimension(), trial, random, restrict_to);
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      Cut cut;
      const double value = oracle.evaluate(i, w, *scratch, cut);
      EXPECT_NEAR(cut.value(w), value, 1e-9 * (1 + std::abs(value)));
      std::vector<double> gradient(oracle.dimension(), 0.0);
      EXPECT_EQ(oracle.accumulate(i, w, *scratch, gradient), value);
      std::vector<double> slope(oracle.dimension(), 0.0);
      cut.slope.add_to(slope, 1);
      for (Index d = 0; d < slope.size(); ++d) EXPECT_NEAR(slope[d], gradient[d], 1e-12);
    }
  }
}

// Pieces lie below the losses of `truth`, which are those of the oracle itself unless a search may
// have missed some.
inline void expect_minorant(const CutOracle& oracle, const Oracle& truth, std::uint64_t seed,
                            const Restrict& restrict_to = {}) {
  Random random(seed);
  const auto scratch = oracle.make_scratch();
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> w = random_weights(oracle.dimension(), 1, random, restrict_to);
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      Cut cut;
      EXPECT_GE(oracle.evaluate(i, w, *scratch, cut), 0);
      for (int other = 0; other < 10; ++other) {
        const std::vector<double> v = random_weights(oracle.dimension(), 2, random, restrict_to);
        EXPECT_LE(cut.value(v), value_at(truth, i, v) + 1e-9);
      }
    }
  }
}
inline void expect_minorant(const ConvexOracle& oracle, std::uint64_t seed,
                            const Restrict& restrict_to = {}) {
  expect_minorant(oracle, oracle, seed, restrict_to);
}

// value ≤ L_i(w) ≤ upper, with the value and the slope of accumulate(). `loss(i, w)` is L_i(w).
// Returns how often the two bounds are the same.
inline Index expect_enclosed(const CutOracle& oracle,
                             const std::function<double(Index, const std::vector<double>&)>& loss,
                             std::uint64_t seed, const Restrict& restrict_to = {}) {
  Random random(seed);
  const auto scratch = oracle.make_scratch();
  Index exact = 0;
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> w =
        random_weights(oracle.dimension(), 0.3 * trial, random, restrict_to);
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      std::vector<double> slope(oracle.dimension(), 0.0), gradient(oracle.dimension(), 0.0);
      const double value = oracle.accumulate(i, w, *scratch, slope);
      const LossBounds bounds = oracle.accumulate_bounds(i, w, *scratch, gradient);
      EXPECT_EQ(bounds.value, value);
      EXPECT_EQ(slope, gradient);
      const double truth = loss(i, w);
      EXPECT_LE(bounds.value, truth + 1e-9);
      EXPECT_GE(bounds.upper, truth - 1e-9);
      exact += bounds.upper == bounds.value ? 1 : 0;
    }
  }
  return exact;
}

// Slopes change within 1/β of where scores are equal: `scale`, that of the weights and of the steps
// between them, falls with β, so that there is something to see.
inline void expect_gradient(const SmoothOracle& oracle, std::uint64_t seed,
                            const Restrict& restrict_to = {}, double scale = 1) {
  Random random(seed);
  const auto scratch = oracle.make_scratch();
  std::vector<double> w = random_weights(oracle.dimension(), scale, random, restrict_to);
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    std::vector<double> gradient(oracle.dimension(), 0.0);
    oracle.accumulate(i, w, *scratch, gradient);
    for (Index d = 0; d < w.size(); ++d) {
      if (w[d] == 0) continue;  // unused
      const double step = 1e-5 * scale;
      const double at = w[d];
      w[d] = at + step;
      const double above = value_at(oracle, i, w);
      w[d] = at - step;
      const double below = value_at(oracle, i, w);
      w[d] = at;
      EXPECT_NEAR((above - below) / (2 * step), gradient[d], 1e-5)
          << "example " << i << " weight " << d;
    }
  }
}

}  // namespace trellis::testing
