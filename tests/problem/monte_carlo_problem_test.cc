#include "trellis/problem/monte_carlo_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "tests/problem/random_matchings.h"
#include "trellis/base/parallel.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/structure/sets/multiclass.h"

namespace trellis {
namespace {

using testing::random_matchings;
using Model = BlockModel<Permutation>;

// It says that it is an estimate: what needs cuts or gradients does not take it.
static_assert(std::derived_from<MonteCarloProblem<Model>, StochasticOracle>);
static_assert(!std::derived_from<MonteCarloProblem<Model>, ConvexOracle>);
static_assert(!std::derived_from<MonteCarloProblem<Model>, SmoothOracle>);
static_assert(SumEstimator<Permutation> && !SumEstimator<Multiclass>);

MonteCarloOptions options_of(Index draws, std::uint64_t seed) {
  MonteCarloOptions options;
  options.draws = draws;
  options.seed = seed;
  return options;
}

TEST(MonteCarloProblem, ThePieceTouchesTheEstimate) {
  const Model model = random_matchings(5, 4, 0.5, 1);
  testing::expect_touching(MonteCarloProblem<Model>(model, options_of(4, 2)), 3);
}

// Over many seeds: the mean of the slopes is the gradient, and the mean of the variances that are
// reported is how far they are from it.
TEST(MonteCarloProblem, SlopesHaveNoBiasAndTheVarianceThatIsReported) {
  const Model model = random_matchings(6, 2, 0.5, 4);
  const std::vector<double> w = {-0.3, -0.6, 0.1};
  for (const double gamma : {0.0, 1.0}) {
    const double beta = 2;
    const SmoothProblem<Model> exact(model, beta, gamma);
    for (Index i = 0; i < 2; ++i) {
      std::vector<double> truth(3, 0.0), mean(3, 0.0);
      const auto exact_scratch = exact.make_scratch();
      const double loss = exact.accumulate(i, w, *exact_scratch, truth);
      double squared_error = 0, reported = 0;
      constexpr int kSeeds = 2000;
      for (int seed = 0; seed < kSeeds; ++seed) {
        MonteCarloOptions options = options_of(5, static_cast<std::uint64_t>(seed));
        options.beta = beta;
        options.gamma = gamma;
        const MonteCarloProblem<Model> problem(model, options);
        const auto scratch = problem.make_scratch();
        std::vector<double> slope(3, 0.0);
        EXPECT_NEAR(problem.accumulate(i, w, *scratch, slope), loss, 1e-9);  // from tables
        for (Index d = 0; d < 3; ++d) {
          mean[d] += slope[d] / kSeeds;
          squared_error += (slope[d] - truth[d]) * (slope[d] - truth[d]) / kSeeds;
        }
        reported += problem.accuracy(i, w, *scratch).gradient_variance / kSeeds;
      }
      EXPECT_NEAR(reported / squared_error, 1, 0.1);
      for (Index d = 0; d < 3; ++d) {
        EXPECT_NEAR(mean[d], truth[d], 5 * std::sqrt(squared_error / kSeeds));
      }
    }
  }
}

// 21 by 21 nodes: beyond the tables, but not beyond exact sums.
TEST(MonteCarloProblem, LossesByAcceptanceAreWithinTheirErrors) {
  const Model model = random_matchings(21, 1, 1, 5);
  const std::vector<double> w = {-1, -1, -1};
  Permutation::Scratch memory;
  std::vector<double> s(21 * 21);
  model.scores(0, w, s);
  const double loss = model.example_weight(0) * (model.structure(0).log_partition(s, memory) -
                                                 model.structure(0).score(s, model.gold(0)));
  const MonteCarloProblem<Model> problem(model, options_of(50, 6));
  const auto scratch = problem.make_scratch();
  const MonteCarloAccuracy accuracy = problem.accuracy(0, w, *scratch);
  EXPECT_NEAR(accuracy.loss, loss, 4 * accuracy.loss_error);
  EXPECT_GT(accuracy.loss_error, 0);
  EXPECT_GE(accuracy.attempts, 50u);
  EXPECT_GT(accuracy.gradient_norm, 0);
}

TEST(MonteCarloProblem, IsAFunctionOfExampleAndWeightsWhateverTheThreads) {
  const Model model = random_matchings(21, 3, 2, 7);
  const MonteCarloProblem<Model> problem(model, options_of(3, 8));
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2}) {
    std::vector<double> slopes(3 * 6);
    std::vector<std::unique_ptr<Scratch>> scratch;
    for (int t = 0; t < threads; ++t) scratch.push_back(problem.make_scratch());
    parallel_for(6, threads, [&](Index k, int worker) {
      const std::vector<double> w = {-2, k < 3 ? -2.0 : -1.5, -2};
      problem.accumulate(k % 3, w, *scratch[static_cast<Index>(worker)],
                         std::span(slopes).subspan(3 * k, 3));
    });
    results.push_back(slopes);
  }
  EXPECT_EQ(results[0], results[1]);
  // Asked again, with the memory of the last call.
  const std::vector<double> w = {-2, -2, -2};
  const auto scratch = problem.make_scratch();
  std::vector<double> first(3, 0.0), second(3, 0.0);
  const double value = problem.accumulate(0, w, *scratch, first);
  EXPECT_EQ(problem.accumulate(0, w, *scratch, second), value);
  EXPECT_EQ(first, second);
}

TEST(MonteCarloProblem, OtherWeightsAndSeedsHaveOtherDraws) {
  const Model model = random_matchings(5, 1, 0.5, 9);
  const auto slope_at = [&](std::uint64_t seed, double weight) {
    const MonteCarloProblem<Model> problem(model, options_of(1, seed));
    const auto scratch = problem.make_scratch();
    std::vector<double> slope(3, 0.0);
    problem.accumulate(0, std::vector<double>{weight, 0, 0}, *scratch, slope);
    return slope;
  };
  int same_seed = 0, same_weights = 0;
  for (int k = 1; k <= 20; ++k) {
    same_seed += slope_at(1, 1e-9 * k) == slope_at(1, 0) ? 1 : 0;
    same_weights += slope_at(1 + static_cast<std::uint64_t>(k), 0) == slope_at(1, 0) ? 1 : 0;
  }
  EXPECT_LT(same_seed, 5);
  EXPECT_LT(same_weights, 5);
}

TEST(MonteCarloProblem, RefusesWhatHasNoEstimate) {
  const Model model = random_matchings(3, 1, 0.5, 10);
  EXPECT_THROW(MonteCarloProblem<Model>(model, options_of(0, 1)), UsageError);
  MonteCarloOptions options;
  options.beta = HUGE_VAL;
  EXPECT_THROW(MonteCarloProblem<Model>(model, options), UsageError);
  const MonteCarloProblem<Model> single(model, options_of(1, 1));
  const auto scratch = single.make_scratch();
  EXPECT_THROW(single.accuracy(0, std::vector<double>(3, 0.0), *scratch), UsageError);
}

}  // namespace
}  // namespace trellis
