#include "trellis/learn/frame/part_pass.h"

#include <gtest/gtest.h>

#include <stop_token>
#include <vector>

#include "tests/learn/saddle_point/simplex_oracle.h"

namespace trellis::testing {
namespace {

struct PassResult {
  std::vector<double> at_target, at_costs;
  PartPass::Totals totals;
};

// Σ_i F_i z(y_i), Σ_i F_i c_i, and Σ_i of two numbers.
PassResult run_pass(const SimplexOracle& oracle, int threads) {
  PartPass pass(oracle, threads);
  PassResult result{std::vector<double>(oracle.dimension(), 7.0),
                    std::vector<double>(oracle.dimension(), 7.0),
                    {}};
  const std::span<double> sums[] = {result.at_target, result.at_costs};
  result.totals =
      *pass.sum(sums, [&](Index i, PartMemory& memory, Scratch& scratch, PartTerms& terms) {
        const std::span<double> z = memory.get(0, oracle.num_parts(i));
        oracle.target(i, z);
        oracle.features(i, z, 1, scratch, terms.slopes[0]);
        oracle.costs(i, z);
        oracle.features(i, z, 1, scratch, terms.slopes[1]);
        terms.numbers[0] = 1;
        if (i % 2 == 1) terms.numbers[2] = sum(z);
      });
  return result;
}

SimplexOracle problem(Index examples) {
  SimplexOracleOptions options;
  options.num_examples = examples;
  return SimplexOracle(options, 3);
}

TEST(PartPass, AddsWhatExamplesAddInTheirOrder) {
  const SimplexOracle oracle = problem(101);
  const PassResult one = run_pass(oracle, 1);
  std::vector<double> by_hand(oracle.dimension(), 0.0), z(oracle.num_parts(0));
  const auto scratch = oracle.make_scratch();
  double odd = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    oracle.target(i, z);
    oracle.add_features(i, z, 1, *scratch, by_hand);
    oracle.costs(i, z);
    if (i % 2 == 1) odd += sum(z);
  }
  for (Index j = 0; j < by_hand.size(); ++j) EXPECT_NEAR(one.at_target[j], by_hand[j], 1e-12);
  EXPECT_EQ(one.totals[0], 101);
  EXPECT_EQ(one.totals[1], 0);
  EXPECT_EQ(one.totals[2], odd);
}

TEST(PartPass, ThreadsDoNotChangeABit) {
  for (const Index examples : {Index{0}, Index{1}, Index{31}, Index{200}}) {
    const SimplexOracle oracle = problem(examples);
    const PassResult one = run_pass(oracle, 1);
    for (const int threads : {2, 3, 5}) {
      const PassResult several = run_pass(oracle, threads);
      EXPECT_EQ(several.at_target, one.at_target);
      EXPECT_EQ(several.at_costs, one.at_costs);
      EXPECT_EQ(several.totals, one.totals);
    }
  }
}

TEST(PartPass, EndsWhereAStopIsRequested) {
  const SimplexOracle oracle = problem(200);
  for (const int threads : {1, 3}) {
    std::stop_source source;
    PartPass pass(oracle, threads, source.get_token());
    std::atomic<Index> seen = 0;
    const auto totals = pass.sum([&](Index i, PartMemory&, Scratch&, PartTerms&) {
      ++seen;
      if (i == 40) source.request_stop();
    });
    EXPECT_FALSE(totals.has_value());
    EXPECT_LT(seen.load(), 200U);
  }
}

}  // namespace
}  // namespace trellis::testing
