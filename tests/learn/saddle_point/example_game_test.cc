#include "trellis/learn/saddle_point/example_game.h"

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/learn/saddle_point/saddle_learners.h"
#include "tests/learn/saddle_point/simplex_oracle.h"
#include "tests/problem/chain/random_chains.h"
#include "tests/problem/kernels/kernel_blocks.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/saddle_point/euclidean_moves.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/kernels/kernel_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::testing::example_game_test {
namespace {

SimplexOracle noisy_problem(std::vector<WeightRange> nonnegative = {}, std::uint64_t seed = 5) {
  SimplexOracleOptions options;
  options.num_examples = 40;
  options.noise = 2;
  options.nonnegative = std::move(nonnegative);
  return SimplexOracle(options, seed);
}

ExampleGameOptions epochs(Index epochs, double lambda = 0.05) {
  ExampleGameOptions options;
  options.lambda = lambda;
  options.max_epochs = epochs;
  return options;
}

WeightBallOptions penalty(double lambda) {
  WeightBallOptions options;
  options.lambda = lambda;
  return options;
}

template <class O>
SaddleLearner learner_of(const O& oracle, const ExampleGameOptions& options) {
  return [&oracle, options](std::span<double> w, const LearnControl& control) {
    return example_game(oracle, options, w, control);
  };
}

template <class O>
constexpr bool has_nearest_points(const O&) {
  return std::derived_from<O, EuclideanPartOracle>;
}

// Runs `check` on both geometries of the parts.
template <class Check>
void on_both_geometries(const SimplexOracle& oracle, const Check& check) {
  {
    SCOPED_TRACE("Euclidean");
    check(static_cast<const EuclideanPartOracle&>(oracle));
  }
  {
    SCOPED_TRACE("entropic");
    check(static_cast<const EntropicPartOracle&>(oracle));
  }
}

TEST(ExampleGame, GoesToTheSaddlePointInBothGeometries) {
  for (const bool restricted : {false, true}) {
    const SimplexOracle oracle =
        noisy_problem(restricted ? std::vector<WeightRange>{{1, 4}} : std::vector<WeightRange>{});
    // Few weights couple all examples: the smaller λ, the more they answer each other.
    for (const auto& [lambda_of_run, gap_of_run] :
         std::vector<std::pair<double, double>>{{0.5, 2e-3}, {0.05, 5e-3}, {0.005, 5e-2}}) {
      const double lambda = lambda_of_run, gap = gap_of_run;
      SCOPED_TRACE(lambda);
      on_both_geometries(oracle, [&](const auto& view) {
        const RunResult result =
            run_saddle(learner_of(view, epochs(2000, lambda)), oracle.dimension(), {});
        EXPECT_LT(result.summary.gap(), (has_nearest_points(view) ? 1 : 2) * gap);
        expect_duality_gap(oracle, penalty(lambda), result);
        for (const WeightRange& range : oracle.nonnegative()) {
          for (Index j = range.begin; j < range.end; ++j) EXPECT_GE(result.w[j], 0);
        }
      });
    }
  }
}

// D rises with every step that is taken: without the certificate's own bounds, too.
TEST(ExampleGame, TheBoundOfTheDualPointNeverFalls) {
  const SimplexOracle oracle = noisy_problem({{0, 2}});
  const double least = least_objective(oracle, penalty(0.05));
  on_both_geometries(oracle, [&](const auto& view) {
    std::vector<double> w(oracle.dimension(), 0.0);
    const LearnSummary summary = example_game(view, epochs(60), w);
    double before = 0;
    for (const EpochRecord& record : summary.history) {
      EXPECT_GE(record.bound, before);
      EXPECT_LE(record.bound, least + 1e-12);
      EXPECT_TRUE(std::isnan(record.gap()));
      before = record.bound;
    }
    EXPECT_GT(before, 0.95 * least);
  });
}

// The O(1/t) of the proof: t times the gap does not grow, but for a factor of 2.
TEST(ExampleGame, GapFallsAsOneOverT) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const SimplexOracle oracle = noisy_problem({}, seed);
    on_both_geometries(oracle, [&](const auto& view) {
      const RunResult game = run_saddle(learner_of(view, epochs(400)), oracle.dimension(), {});
      const auto& history = game.summary.history;
      EXPECT_LE(400 * history[399].gap(), 2 * 40 * history[39].gap());
    });
  }
}

TEST(ExampleGame, ThreadsDoNotChangeABit) {
  SimplexOracleOptions problem;
  problem.num_examples = 150;
  const SimplexOracle oracle(problem, 8);
  on_both_geometries(oracle, [&](const auto& view) {
    const SaddleLearner learner = learner_of(view, epochs(12));
    LearnControl control;
    const RunResult one = run_saddle(learner, oracle.dimension(), control);
    control.threads = 4;
    expect_same_bits(one, run_saddle(learner, oracle.dimension(), control));
  });
}

// The problem of another oracle, which requests a stop at its k-th call for scores.
class StoppingOracle final : public EuclideanPartOracle, public EntropicPartOracle {
 public:
  explicit StoppingOracle(const SimplexOracle& oracle) : oracle_(oracle) {}
  std::stop_token stop_after(Index calls) {
    source_ = std::stop_source();
    calls_left_ = calls;
    return source_.get_token();
  }

  Index num_examples() const override { return oracle_.num_examples(); }
  Index dimension() const override { return oracle_.dimension(); }
  std::span<const WeightRange> nonnegative() const override { return oracle_.nonnegative(); }
  std::unique_ptr<Scratch> make_scratch() const override { return oracle_.make_scratch(); }
  Index num_parts(Index i) const override { return oracle_.num_parts(i); }
  void target(Index i, std::span<double> z) const override { oracle_.target(i, z); }
  void costs(Index i, std::span<double> c) const override { oracle_.costs(i, c); }
  void scores(Index i, std::span<const double> w, Scratch& scratch,
              std::span<double> s) const override {
    if (calls_left_ > 0 && --calls_left_ == 0) source_.request_stop();
    oracle_.scores(i, w, scratch, s);
  }
  void add_features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                    std::span<double> gradient) const override {
    oracle_.add_features(i, z, scale, scratch, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Scratch& scratch,
                SparseVector& slope) const override {
    oracle_.features(i, z, scale, scratch, slope);
  }
  double maximize(Index i, std::span<const double> s, Scratch& scratch,
                  std::span<double> z) const override {
    return oracle_.maximize(i, s, scratch, z);
  }
  LinearProgram linear_program(Index i) const override { return oracle_.linear_program(i); }
  bool faces_by_zeros() const override { return true; }
  void project(Index i, std::span<const double> v, Scratch& scratch,
               std::span<double> z) const override {
    oracle_.project(i, v, scratch, z);
  }
  double log_partition(Index i, std::span<const double> s, Scratch& scratch,
                       std::span<double> z) const override {
    return oracle_.log_partition(i, s, scratch, z);
  }

 private:
  const SimplexOracle& oracle_;
  mutable std::stop_source source_;
  mutable Index calls_left_ = 0;
};

// In the middle of an epoch, of the certificate's pass, and before the first visit.
TEST(ExampleGame, InterruptedRunEndsWithTheSameBits) {
  const SimplexOracle problem = noisy_problem({{1, 3}});
  StoppingOracle oracle(problem);
  ExampleGameOptions options = epochs(20);
  options.gap_every = 2;
  const auto check = [&](const auto& view) {
    const SaddleLearner learner = learner_of(view, options);
    oracle.stop_after(0);
    const RunResult whole = run_saddle(learner, oracle.dimension(), {});
    for (const Index calls : {Index{1}, Index{13}, Index{64}, Index{107}}) {
      RunResult run{{}, std::vector<double>(oracle.dimension(), 0.0)};
      Checkpoint checkpoint;
      Index interruptions = 0;
      do {
        LearnControl control = certified();
        control.checkpoint = &checkpoint;
        control.stop = oracle.stop_after(interruptions < 30 ? calls : 0);
        run.summary = learner(run.w, control);
        if (!checkpoint.empty()) std::fill(run.w.begin(), run.w.end(), 0.5);
        ++interruptions;
      } while (run.summary.termination == Termination::kInterrupted);
      EXPECT_GT(interruptions, 3U);
      expect_same_bits(whole, run);
    }
  };
  check(static_cast<const EuclideanPartOracle&>(oracle));
  check(static_cast<const EntropicPartOracle&>(oracle));
}

TEST(ExampleGame, AnInterruptedRunLeavesTheMeanOfItsWeights) {
  on_both_geometries(noisy_problem(), [](const auto& oracle) {
    const RunResult three = run_saddle(learner_of(oracle, epochs(3)), oracle.dimension(), {});
    std::stop_source source;
    LearnControl control;
    control.stop = source.get_token();
    control.observer = [&](const EpochRecord& record, std::span<const double>) {
      if (record.epoch == 3) source.request_stop();
      return true;
    };
    const RunResult stopped =
        run_saddle(learner_of(oracle, epochs(20)), oracle.dimension(), control);
    EXPECT_EQ(stopped.summary.termination, Termination::kInterrupted);
    EXPECT_EQ(stopped.w, three.w);
  });
}

TEST(ExampleGame, StartsFromTheWeightsThatItIsGiven) {
  const SimplexOracle oracle = noisy_problem({{1, 3}});
  on_both_geometries(oracle, [&](const auto& view) {
    const RunResult cold = run_saddle(learner_of(view, epochs(300)), oracle.dimension(), {});
    RunResult warm = cold;
    warm.summary = example_game(view, epochs(300), warm.w, certified());
    expect_duality_gap(oracle, penalty(0.05), warm);
    EXPECT_LT(warm.summary.gap(), 2e-2);
    std::vector<double> far = {5, -3, 4, 1, -7, 2};
    const LearnSummary summary = example_game(view, epochs(300), far, certified());
    EXPECT_LT(summary.gap(), 2e-2);
  });
}

// A run from where another has ended begins close to its optimum.
TEST(ExampleGame, AGoodStartIsWorthEpochs) {
  const SimplexOracle oracle = noisy_problem();
  const EuclideanPartOracle& view = oracle;
  const RunResult cold = run_saddle(learner_of(view, epochs(300)), oracle.dimension(), {});
  std::vector<double> w = cold.w;
  const LearnSummary warm = example_game(view, epochs(1), w, certified());
  std::vector<double> zero(oracle.dimension(), 0.0);
  const LearnSummary first = example_game(view, epochs(1), zero, certified());
  EXPECT_LT(warm.gap(), first.gap());
}

TEST(ExampleGame, StopsAtTheGapAskedFor) {
  const SimplexOracle oracle = noisy_problem();
  on_both_geometries(oracle, [&](const auto& view) {
    std::vector<double> w(oracle.dimension(), 0.0);
    const LearnSummary summary = example_game(view, epochs(1000), w, certified(0.01));
    EXPECT_EQ(summary.termination, Termination::kConverged);
    EXPECT_LE(summary.gap(), 0.01);
    EXPECT_LT(summary.epochs, 1000U);
  });
}

// Chains with tied transitions count parts, and their twins have a table at each position: the
// optimum is that of the hinge losses, which another learner finds.
TEST(ExampleGame, LearnsChains) {
  RandomChainOptions chain_options;
  chain_options.num_examples = 10;
  chain_options.edges = true;
  chain_options.rules = true;
  chain_options.values = true;
  const RandomChains chains(chain_options, 4);
  const HingeProblem<ChainModel> hinge(chains.model());
  DcaOptions dca_options;
  dca_options.lambda = 0.1;
  dca_options.dual = DcaDual::kStored;
  dca_options.max_epochs = 500;
  std::vector<double> w(hinge.dimension());
  const LearnSummary by_dca = dca(hinge, dca_options, w, certified());
  const auto check = [&](const auto& problem) {
    std::vector<double> v(problem.dimension(), 0.0);
    const LearnSummary summary = example_game(problem, epochs(300, 0.1), v, certified());
    EXPECT_LT(summary.gap(), 2e-3);
    EXPECT_LE(summary.bound, by_dca.objective);
    EXPECT_LE(by_dca.bound, summary.objective);
  };
  check(EntropicPartProblem<ChainModel>(chains.model()));
  check(EuclideanPartProblem<ChainModel>(chains.model()));
  const UntiedChainModel untied(chains.model());
  check(EuclideanPartProblem<UntiedChainModel>(untied));
}

TEST(ExampleGame, RefusesWhatDoesNotFit) {
  const SimplexOracle oracle = noisy_problem();
  const EuclideanPartOracle& view = oracle;
  std::vector<double> w(oracle.dimension());
  const auto refused = [&](const ExampleGameOptions& options) {
    EXPECT_THROW(example_game(view, options, w), UsageError);
  };
  refused(epochs(10, 0));
  refused(epochs(10, -1));
  refused(epochs(10, std::numeric_limits<double>::infinity()));
  ExampleGameOptions step = epochs(10);
  step.step_scale = 0;
  refused(step);
  ExampleGameOptions every = epochs(10);
  every.gap_every = 0;
  refused(every);
  std::vector<double> short_w(oracle.dimension() - 1);
  EXPECT_THROW(example_game(view, epochs(10), short_w), UsageError);
  SimplexOracleOptions none;
  none.num_examples = 0;
  const SimplexOracle empty(none, 1);
  EXPECT_THROW(example_game(static_cast<const EuclideanPartOracle&>(empty), epochs(10), w),
               UsageError);
  const BlockModel<Multiclass> vectors = labelled_vectors(10, false);
  const std::vector<KernelBlock> quadratic = {{0, quadratic_kernel()}};
  const KernelModel<Multiclass> kernelised(vectors, quadratic);
  const EntropicKernelProblem<KernelModel<Multiclass>> by_kernel(kernelised);
  std::vector<double> coefficients(by_kernel.dimension());
  EXPECT_THROW(example_game(by_kernel, epochs(10), coefficients), UsageError);
}

// What look() promises: a point of Z that is not farther from z + ηs than z is. One look after the
// other towards the same point goes to the nearest one there is.
TEST(EuclideanMoves, LooksGoToTheNearestPoint) {
  const SimplexOracle oracle = noisy_problem();
  const auto scratch = oracle.make_scratch();
  EuclideanMoves moves(oracle);
  const Index parts = oracle.num_parts(0);
  std::vector<double> y(parts), s(parts), v(parts), nearest(parts);
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    oracle.target(i, y);
    moves.begin(i, y, {}, *scratch);
    for (std::uint64_t round = 0; round < 6; ++round) {
      Random random(3, i, round);
      for (double& value : v) value = random.normal() * static_cast<double>(round + 1) / 3;
      oracle.project(i, v, *scratch, nearest);
      for (int look = 0; look < 15; ++look) {
        const std::span<const double> z = moves.point(i);
        const std::vector<double> before(z.begin(), z.end());
        for (Index p = 0; p < parts; ++p) s[p] = 2 * (v[p] - before[p]);
        const std::span<const double> u = moves.look(i, s, 0.5, *scratch);
        double total = 0, gained = 0;
        for (Index p = 0; p < parts; ++p) {
          EXPECT_GE(u[p], 0);
          total += u[p];
          gained += (before[p] - v[p]) * (before[p] - v[p]) - (u[p] - v[p]) * (u[p] - v[p]);
        }
        EXPECT_NEAR(total, 1, 1e-12);
        EXPECT_GE(gained, -1e-12);
        moves.take(i, 1);
      }
      const std::span<const double> z = moves.point(i);
      for (Index p = 0; p < parts; ++p) EXPECT_NEAR(z[p], nearest[p], 1e-4);
    }
  }
}

// A share of the step is that share of the way.
TEST(EuclideanMoves, TakesAShareOfTheStep) {
  const SimplexOracle oracle = noisy_problem();
  const auto scratch = oracle.make_scratch();
  EuclideanMoves moves(oracle);
  std::vector<double> y(oracle.num_parts(0));
  const std::vector<double> s = {0.3, -0.2, 0.5, 0.1};
  for (Index i = 0; i < oracle.num_examples(); ++i) {
    oracle.target(i, y);
    moves.begin(i, y, {}, *scratch);
    for (const double share : {0.25, 1.0, 0.5, 0.75}) {
      const std::span<const double> z = moves.point(i);
      const std::vector<double> before(z.begin(), z.end());
      const std::span<const double> u = moves.look(i, s, 1, *scratch);
      const std::vector<double> looked(u.begin(), u.end());
      moves.take(i, share);
      const std::span<const double> now = moves.point(i);
      for (Index p = 0; p < before.size(); ++p) {
        EXPECT_NEAR(now[p], before[p] + share * (looked[p] - before[p]), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace trellis::testing::example_game_test
