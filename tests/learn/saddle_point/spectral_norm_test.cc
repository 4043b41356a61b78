#include "trellis/learn/saddle_point/spectral_norm.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/learn/saddle_point/simplex_oracle.h"
#include "tests/problem/chain/random_chains.h"
#include "trellis/problem/part_problem.h"

namespace trellis::testing {
namespace {

// The largest singular value, from the matrix F Fᵀ, column by column. `restrict_to_features` clears
// the coordinates that no feature uses.
double exact_norm(const PartOracle& oracle,
                  const std::function<void(std::vector<double>&)>& restrict_to_features) {
  const Index d = oracle.dimension();
  const auto size = static_cast<Eigen::Index>(d);
  Eigen::MatrixXd square(size, size);
  const auto scratch = oracle.make_scratch();
  for (Index j = 0; j < d; ++j) {
    std::vector<double> unit(d, 0.0);
    unit[j] = 1;
    restrict_to_features(unit);
    std::vector<double> column(d, 0.0);
    for (Index i = 0; i < oracle.num_examples(); ++i) {
      std::vector<double> s(oracle.num_parts(i));
      oracle.scores(i, unit, *scratch, s);
      oracle.add_features(i, s, 1, *scratch, column);
    }
    square.col(static_cast<Eigen::Index>(j)) = Eigen::Map<Eigen::VectorXd>(column.data(), size);
  }
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(square).eigenvalues().maxCoeff());
}

TEST(SpectralNorm, IsTheLargestSingularValueOfTheStackedFeatures) {
  RandomChainOptions chain_options;
  chain_options.edges = true;
  chain_options.values = true;  // examples have weights, which belong to F
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RandomChains chains(chain_options, seed);
    const EntropicPartProblem<ChainModel> chain_problem(chains.model());
    const SimplexOracle simplex({}, seed);
    const auto check = [&](const PartOracle& oracle, double exact) {
      SpectralNormOptions options;
      options.seed = seed;
      EXPECT_NEAR(spectral_norm(oracle, options).value(), exact, 1e-3 * exact);
      options.tolerance = 1e-10;
      EXPECT_NEAR(spectral_norm(oracle, options).value(), exact, 1e-9 * exact);
    };
    check(chain_problem, exact_norm(chain_problem, chains.restriction()));
    check(simplex, exact_norm(simplex, [](std::vector<double>&) {}));
  }
}

TEST(SpectralNorm, ThreadsDoNotChangeABit) {
  SimplexOracleOptions problem;
  problem.num_examples = 100;
  const SimplexOracle oracle(problem, 3);
  SpectralNormOptions options;
  const double one = spectral_norm(oracle, options).value();
  options.threads = 4;
  EXPECT_EQ(spectral_norm(oracle, options).value(), one);
}

TEST(SpectralNorm, OfNoFeaturesIsZero) {
  SimplexOracleOptions problem;
  problem.dimension = 0;
  EXPECT_EQ(spectral_norm(SimplexOracle(problem, 1)).value(), 0);
}

TEST(SpectralNorm, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  SpectralNormOptions options;
  options.stop = source.get_token();
  EXPECT_FALSE(spectral_norm(SimplexOracle({}, 1), options).has_value());
}

}  // namespace
}  // namespace trellis::testing
