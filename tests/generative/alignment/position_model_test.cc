#include "trellis/generative/alignment/position_model.h"

#include <gtest/gtest.h>

#include "alignment_enumeration.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

using namespace testing;

void expect_sums_equal_enumeration(const PositionModel& model, const Prior& prior, Lengths lengths,
                                   Random& random) {
  std::vector<double> t(lengths.grid());
  for (double& value : t) value = random.uniform() + 1e-3;
  const Enumerated expected = enumerate(lengths, prior, t);
  PositionScratch scratch;
  const auto fill = [&] {
    scratch.scores.resize(model.num_scores(lengths));
    for (Index x = 0; x < t.size(); ++x) scratch.scores[x] = std::log(t[x]);
  };
  fill();
  EXPECT_NEAR(model.sums(lengths, scratch), std::log(expected.likelihood), 1e-6);
  const std::span<const double> found = scratch.posterior(lengths);
  for (Index x = 0; x < t.size(); ++x) EXPECT_NEAR(found[x], expected.posteriors[x], 1e-6);
  fill();
  Alignment best;
  EXPECT_NEAR(model.maximize(lengths, scratch, best), std::log(expected.best), 1e-6);
  double p = prior(lengths, best);
  for (Index j = 0; j < best.size(); ++j) {
    p *= t[j * (lengths.source + 1) +
           (best[j] == kNoLabel ? lengths.source : static_cast<Index>(best[j]))];
  }
  EXPECT_NEAR(std::log(p), std::log(expected.best), 1e-6);
  // Draws: the share of each link.
  std::vector<double> drawn(lengths.grid(), 0.0);
  constexpr int kDraws = 4000;
  for (int d = 0; d < kDraws; ++d) {
    fill();
    Alignment a;
    model.sample(lengths, scratch, random, a);
    for (Index j = 0; j < a.size(); ++j) {
      drawn[j * (lengths.source + 1) +
            (a[j] == kNoLabel ? lengths.source : static_cast<Index>(a[j]))] += 1.0 / kDraws;
    }
  }
  for (Index x = 0; x < t.size(); ++x) {
    const double q = expected.posteriors[x];
    EXPECT_NEAR(drawn[x], q, 5 * std::sqrt(q * (1 - q) / kDraws) + 1e-3);
  }
}

TEST(PositionModel, SumsMaximaAndDrawsEqualEnumeration) {
  Random random(1);
  for (Index sources = 1; sources <= 4; ++sources) {
    for (Index targets = 1; targets <= 4; ++targets) {
      const Lengths lengths{sources, targets};
      expect_sums_equal_enumeration(UniformPositions(0.3), uniform_prior(0.3), lengths, random);
      expect_sums_equal_enumeration(DiagonalPositions(0.1, 4, {lengths}), diagonal_prior(0.1, 4),
                                    lengths, random);
      JumpPositions::Options options;
      options.reach = 2;
      std::vector<double> weights(5);
      for (double& c : weights) c = random.uniform() + 0.01;
      const JumpPositions jumps(options, weights);
      expect_sums_equal_enumeration(jumps, jump_prior(jumps), lengths, random);
    }
  }
}

TEST(PositionModel, PriorsAddUpToOne) {
  JumpPositions::Options options;
  options.reach = 1;
  const JumpPositions jumps(options, {1, 5, 2});
  for (const Lengths lengths : {Lengths{3, 3}, Lengths{1, 4}, Lengths{4, 2}}) {
    for (const Prior& prior : {uniform_prior(0.2), diagonal_prior(0.2, 3)}) {
      double total = 0;
      for (const Alignment& a : all_alignments(lengths)) total += prior(lengths, a);
      EXPECT_NEAR(total, 1, 1e-12);
    }
    double total = 0;  // less than 1: the end is where it is
    for (const Alignment& a : all_alignments(lengths)) total += jump_prior(jumps)(lengths, a);
    EXPECT_LE(total, 1);
  }
}

TEST(TablePositions, LengthsNeverSeenAreUniform) {
  Random random(2);
  const TablePositions table(0.2, {{3, 2}}, 0);
  expect_sums_equal_enumeration(table, uniform_prior(0.2), {2, 3}, random);
}

// The M-step of one model, given posteriors, against all other values of its parameter.
TEST(DiagonalPositions, TensionMaximisesTheExpectedLikelihood) {
  Random random(3);
  const std::vector<Lengths> all = {{3, 4}, {5, 2}, {6, 6}};
  DiagonalPositions model(0.1, 2, all);
  std::vector<double> sums(model.num_sums());
  FixedCounts cells(model.num_cells());
  PositionScratch scratch;
  std::vector<std::vector<double>> posteriors;
  for (const Lengths& lengths : all) {
    scratch.scores.resize(lengths.grid());
    for (Index j = 0, x = 0; j < lengths.target; ++j) {
      for (Index i = 0; i <= lengths.source; ++i, ++x) {
        const double off =
            std::abs(static_cast<double>(i + 1) / static_cast<double>(lengths.source) -
                     static_cast<double>(j + 1) / static_cast<double>(lengths.target));
        scratch.scores[x] = random.uniform() - 5 * off;
      }
    }
    model.sums(lengths, scratch);
    posteriors.emplace_back(scratch.marginals.begin(), scratch.marginals.end());
    model.count(lengths, scratch, sums, cells);
  }
  model.update(sums, cells);
  const auto expected = [&](double tension) {
    double value = 0;
    for (Index k = 0; k < all.size(); ++k) {
      const Prior one = diagonal_prior(0, tension);
      for (Index j = 0; j < all[k].target; ++j) {
        for (Index i = 0; i < all[k].source; ++i) {
          const Lengths row{all[k].source, all[k].target};
          double total = 0;
          const auto off = [&](Index at) {
            return std::abs(static_cast<double>(at + 1) / static_cast<double>(row.source) -
                            static_cast<double>(j + 1) / static_cast<double>(row.target));
          };
          for (Index at = 0; at < row.source; ++at) total += std::exp(-tension * off(at));
          value += posteriors[k][j * (row.source + 1) + i] * (-tension * off(i) - std::log(total));
        }
      }
    }
    return value;
  };
  EXPECT_GT(model.tension(), 2);
  const double best = expected(model.tension());
  for (const double other : {0.0, 1.0, 2.0, 0.99 * model.tension(), 1.01 * model.tension(), 30.0}) {
    EXPECT_LE(expected(other), best + 1e-9);
  }
}

}  // namespace
}  // namespace trellis
