// Learning from draws instead of sums.
#include <gtest/gtest.h>

#include <concepts>
#include <vector>

#include "tests/problem/random_matchings.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/problem/monte_carlo_problem.h"
#include "trellis/problem/smooth_problem.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

using Model = BlockModel<Permutation>;

template <class Oracle>
concept FitsLbfgs = requires(const Oracle& oracle, std::span<double> w) {
  lbfgs(oracle, LbfgsOptions{}, w);
};
static_assert(FitsLbfgs<SmoothProblem<Model>>);
static_assert(!FitsLbfgs<MonteCarloProblem<Model>>);

double objective(const Oracle& oracle, double lambda, std::span<const double> w) {
  std::vector<double> gradient(w.size(), 0.0);
  const auto scratch = oracle.make_scratch();
  double risk = 0;
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    risk += oracle.accumulate(i, w, *scratch, gradient);
  }
  return lambda / 2 * squared_norm(w) + risk / static_cast<double>(oracle.num_examples());
}

TEST(MonteCarlo, AveragedStepsReachTheOptimumOfTheExactSums) {
  const Model model = testing::random_matchings(6, 20, 0.5, 1);
  const SmoothProblem<Model> exact(model);
  constexpr double kLambda = 0.05;
  LbfgsOptions exact_options;
  exact_options.lambda = kLambda;
  exact_options.epsilon = 1e-8;
  exact_options.delta = 0;
  std::vector<double> best(3, 0.0);
  lbfgs(exact, exact_options, best);
  const double optimum = objective(exact, kLambda, best);

  MonteCarloOptions draws;
  draws.draws = 8;
  const MonteCarloProblem<Model> estimate(model, draws);
  SgdOptions options;
  options.lambda = kLambda;
  options.eta = 0.05;
  options.average = true;
  options.max_epochs = 200;
  std::vector<double> w(3, 0.0);
  sgd(estimate, options, w);
  const double start = objective(exact, kLambda, std::vector<double>(3, 0.0));
  EXPECT_GT(start - optimum, 0.5);  // there is something to learn
  EXPECT_LT(objective(exact, kLambda, w) - optimum, 2e-3);
  for (Index d = 0; d < 3; ++d) EXPECT_NEAR(w[d], best[d], 0.05);
}

TEST(MonteCarlo, ARunHasTheSameBitsEachTime) {
  const Model model = testing::random_matchings(21, 2, 2, 2);
  MonteCarloOptions draws;
  draws.draws = 2;
  const MonteCarloProblem<Model> estimate(model, draws);
  SgdOptions options;
  options.eta = 0.01;
  options.max_epochs = 3;
  std::vector<double> first(3, -1.0), second = first;
  sgd(estimate, options, first);
  sgd(estimate, options, second);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace trellis
