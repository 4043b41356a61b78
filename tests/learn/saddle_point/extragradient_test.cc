#include "trellis/learn/saddle_point/extragradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/learn/saddle_point/saddle_learners.h"
#include "tests/learn/saddle_point/simplex_oracle.h"
#include "tests/problem/chain/random_chains.h"
#include "tests/problem/kernels/kernel_blocks.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/saddle_point/spectral_norm.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/kernels/kernel_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::testing {
namespace {

ExtragradientOptions penalty(double lambda) {
  ExtragradientOptions options;
  options.lambda = lambda;
  return options;
}

ExtragradientOptions ball(WeightBall kind, double radius) {
  ExtragradientOptions options;
  options.ball = kind;
  options.radius = radius;
  return options;
}

std::vector<ExtragradientOptions> regularisers() {
  return {penalty(0.05), ball(WeightBall::kEuclidean, 0.5), ball(WeightBall::kL1, 0.7)};
}

// The method of the paper: fixed steps, σ = 1.
ExtragradientOptions paper(ExtragradientOptions options) {
  options.adaptive = options.accelerate = false;
  options.balance = 1;
  return options;
}

SimplexOracle noisy_problem(std::vector<WeightRange> nonnegative = {}, std::uint64_t seed = 5) {
  SimplexOracleOptions options;
  options.num_examples = 40;
  options.noise = 2;
  options.nonnegative = std::move(nonnegative);
  return SimplexOracle(options, seed);
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

template <class O>
RunResult run(const O& oracle, ExtragradientOptions options, Index iterations) {
  options.max_iterations = iterations;
  return run_saddle(
      [&](std::span<double> w, const LearnControl& control) {
        return extragradient(oracle, options, w, control);
      },
      oracle.dimension(), {});
}

TEST(Extragradient, GoesToTheSaddlePointInEveryGeometry) {
  for (const bool restricted : {false, true}) {
    const SimplexOracle oracle =
        noisy_problem(restricted ? std::vector<WeightRange>{{1, 4}} : std::vector<WeightRange>{});
    for (const ExtragradientOptions& options : regularisers()) {
      SCOPED_TRACE(options.identity());
      std::vector<double> objectives;
      on_both_geometries(oracle, [&](const auto& view) {
        const RunResult result = run(view, options, 1500);
        EXPECT_LT(result.summary.gap(), 5e-3);
        expect_duality_gap(oracle, options, result);
        objectives.push_back(result.summary.objective);
        for (const WeightRange& range : oracle.nonnegative()) {
          for (Index j = range.begin; j < range.end; ++j) EXPECT_GE(result.w[j], 0);
        }
      });
      EXPECT_NEAR(objectives[0], objectives[1], 5e-3 * objectives[0]);
    }
  }
}

TEST(Extragradient, BoundIsBelowEveryObjectiveInTheSet) {
  const SimplexOracle oracle = noisy_problem({{0, 2}});
  for (const ExtragradientOptions& options : regularisers()) {
    SCOPED_TRACE(options.identity());
    on_both_geometries(oracle, [&](const auto& view) {
      const RunResult result = run(view, options, 300);
      double bound = 0;
      for (const EpochRecord& record : result.summary.history) {
        EXPECT_GE(record.bound, bound);
        bound = record.bound;
      }
      EXPECT_GT(bound, 0);
      for (const std::vector<double>& point : points_of(oracle, options, result.w)) {
        EXPECT_LE(bound, objective_at(oracle, options.lambda, point) + 1e-12);
      }
    });
  }
}

TEST(Extragradient, StaysInTheBall) {
  const SimplexOracle oracle = noisy_problem();
  on_both_geometries(oracle, [&](const auto& view) {
    const RunResult euclidean = run(view, ball(WeightBall::kEuclidean, 0.1), 200);
    EXPECT_NEAR(squared_norm(euclidean.w), 0.01, 1e-3);
    EXPECT_LE(squared_norm(euclidean.w), 0.01 + 1e-12);
    const RunResult l1 = run(view, ball(WeightBall::kL1, 0.1), 200);
    double norm = 0;
    for (const double weight : l1.w) norm += std::abs(weight);
    EXPECT_LE(norm, 0.1 + 1e-12);
    EXPECT_GT(norm, 0.08);
  });
}

// The bound (2.19): fixed steps, a decade of iterations.
TEST(Extragradient, GapOfThePaperFallsAsOneOverT) {
  const SimplexOracle oracle = noisy_problem();
  for (const ExtragradientOptions& options : regularisers()) {
    SCOPED_TRACE(options.identity());
    on_both_geometries(oracle, [&](const auto& view) {
      const RunResult result = run(view, paper(options), 2000);
      EXPECT_LE(decay_rate(result.summary, 200, 2000), -0.9);
    });
  }
}

// The proof of the header: 1/t² with a penalty, for proven steps that grow with its modulus; and
// for governed steps the same rates but for a constant, which on these problems leaves less than a
// fifth of the gap of the paper's steps.
TEST(Extragradient, GrowingAndGovernedStepsHaveTheRatesOfTheProof) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const SimplexOracle oracle = noisy_problem({}, seed);
    for (const ExtragradientOptions& options : regularisers()) {
      SCOPED_TRACE(options.identity());
      on_both_geometries(oracle, [&](const auto& view) {
        const RunResult governed = run(view, options, 2000);
        EXPECT_LE(decay_rate(governed.summary, 200, 2000), options.lambda > 0 ? -1.5 : -0.9);
        EXPECT_LT(5 * governed.summary.gap(), run(view, paper(options), 2000).summary.gap());
        if (options.lambda == 0) return;
        ExtragradientOptions growing = paper(options);
        growing.accelerate = true;
        EXPECT_LE(decay_rate(run(view, growing, 2000).summary, 200, 2000), -1.8);
      });
    }
  }
}

TEST(Extragradient, MemoryEfficientAndStoredFormsMakeTheSameIterates) {
  const SimplexOracle oracle = noisy_problem();
  for (ExtragradientOptions options : regularisers()) {
    SCOPED_TRACE(options.identity());
    on_both_geometries(oracle, [&](const auto& view) {
      for (const bool by_paper : {false, true}) {
        ExtragradientOptions stored = by_paper ? paper(options) : options;
        const RunResult lean = run(view, stored, 60);
        stored.form = ExtragradientForm::kStored;
        const RunResult full = run(view, stored, 60);
        for (Index j = 0; j < lean.w.size(); ++j) EXPECT_NEAR(lean.w[j], full.w[j], 1e-8);
        EXPECT_NEAR(lean.summary.bound, full.summary.bound, 1e-8);
      }
    });
  }
}

// The first two iterations of fig. 2.2 by hand, with ‖F‖₂ from the library.
TEST(Extragradient, FirstStepsAreThoseOfTheFigure) {
  const SimplexOracle oracle = noisy_problem();
  const Index d = oracle.dimension();
  const Index n = oracle.num_examples();
  const Index parts = oracle.num_parts(0);
  ExtragradientOptions options = paper(ball(WeightBall::kEuclidean, 0.02));
  // At the targets Σ_i F_i (v_i − y_i) = 0: the first iteration moves the z_i alone.
  const RunResult one = run(static_cast<const EuclideanPartOracle&>(oracle), options, 1);
  for (const double weight : one.w) EXPECT_EQ(weight, 0);
  const RunResult two = run(static_cast<const EuclideanPartOracle&>(oracle), options, 2);

  const auto scratch = oracle.make_scratch();
  const auto iterate = [&](double eta) {
    std::vector<double> s_w(d, 0.0), mean(d, 0.0);
    std::vector<std::vector<double>> s_z(n, std::vector<double>(parts, 0.0));
    const WeightSet set(oracle, options);
    for (int t = 0; t < 2; ++t) {
      std::vector<double> v_w(d), r(d, 0.0), q(d, 0.0);
      for (Index j = 0; j < d; ++j) v_w[j] = eta * s_w[j];
      set.project(v_w);
      for (Index i = 0; i < n; ++i) {
        std::vector<double> y(parts), c(parts), x(parts), v(parts), u(parts), s(parts);
        oracle.target(i, y);
        oracle.costs(i, c);
        for (Index p = 0; p < parts; ++p) x[p] = y[p] + eta * s_z[i][p];
        oracle.project(i, x, *scratch, v);
        oracle.scores(i, v_w, *scratch, s);
        for (Index p = 0; p < parts; ++p) x[p] = v[p] + eta * (s[p] + c[p]);
        oracle.project(i, x, *scratch, u);
        for (Index p = 0; p < parts; ++p) v[p] -= y[p], u[p] -= y[p];
        oracle.add_features(i, v, 1, *scratch, r);
        oracle.add_features(i, u, 1, *scratch, q);
      }
      for (Index j = 0; j < d; ++j) v_w[j] -= eta * r[j];
      set.project(v_w);  // u_w
      for (Index i = 0; i < n; ++i) {
        std::vector<double> c(parts), s(parts);
        oracle.costs(i, c);
        oracle.scores(i, v_w, *scratch, s);
        for (Index p = 0; p < parts; ++p) s_z[i][p] += s[p] + c[p];
      }
      for (Index j = 0; j < d; ++j) {
        s_w[j] -= q[j];
        mean[j] += (v_w[j] - mean[j]) / (t + 1);
      }
    }
    return mean;
  };
  SpectralNormOptions norm;
  const double eta = 1 / (spectral_norm(oracle, norm).value() * 1.001);
  const std::vector<double> expected = iterate(eta);
  for (Index j = 0; j < d; ++j) EXPECT_NEAR(two.w[j], expected[j], 1e-12);
  EXPECT_GT(squared_norm(two.w), 0);
}

TEST(Extragradient, ThreadsDoNotChangeABit) {
  SimplexOracleOptions problem;
  problem.num_examples = 150;
  const SimplexOracle oracle(problem, 8);
  for (ExtragradientOptions options : regularisers()) {
    options.max_iterations = 20;
    for (const ExtragradientForm form :
         {ExtragradientForm::kMemoryEfficient, ExtragradientForm::kStored}) {
      options.form = form;
      on_both_geometries(oracle, [&](const auto& view) {
        const SaddleLearner learner = [&](std::span<double> w, const LearnControl& control) {
          return extragradient(view, options, w, control);
        };
        LearnControl control;
        const RunResult one = run_saddle(learner, oracle.dimension(), control);
        control.threads = 4;
        expect_same_bits(one, run_saddle(learner, oracle.dimension(), control));
      });
    }
  }
}

TEST(Extragradient, InterruptedRunEndsWithTheSameBits) {
  const SimplexOracle oracle = noisy_problem();
  for (ExtragradientOptions options : regularisers()) {
    options.max_iterations = 45;
    options.gap_every = 2;
    for (const ExtragradientForm form :
         {ExtragradientForm::kMemoryEfficient, ExtragradientForm::kStored}) {
      options.form = form;
      on_both_geometries(oracle, [&](const auto& view) {
        const SaddleLearner learner = [&](std::span<double> w, const LearnControl& control) {
          return extragradient(view, options, w, control);
        };
        const RunResult whole = run_saddle(learner, oracle.dimension(), {});
        for (const Index epochs : {Index{1}, Index{7}}) {
          expect_same_bits(whole, run_interrupted(learner, oracle.dimension(), epochs));
        }
      });
    }
  }
}

// A separable problem with hardly a penalty: w goes far, and the method begins again on the way.
TEST(Extragradient, InterruptionsAroundANewBeginningDoNotChangeABit) {
  SimplexOracleOptions problem;
  problem.noise = 0.3;
  problem.num_examples = 60;
  const SimplexOracle oracle(problem, 9);
  ExtragradientOptions options = penalty(1e-4);
  options.max_iterations = 70;
  for (const ExtragradientForm form :
       {ExtragradientForm::kMemoryEfficient, ExtragradientForm::kStored}) {
    options.form = form;
    on_both_geometries(oracle, [&](const auto& view) {
      const SaddleLearner learner = [&](std::span<double> w, const LearnControl& control) {
        return extragradient(view, options, w, control);
      };
      const RunResult whole = run_saddle(learner, oracle.dimension(), {});
      for (const EpochRecord& record : whole.summary.history) {
        EXPECT_TRUE(std::isfinite(record.objective) && std::isfinite(record.gap()));
      }
      expect_same_bits(whole, run_interrupted(learner, oracle.dimension(), 1));
      expect_same_bits(whole, run_interrupted(learner, oracle.dimension(), 11));
    });
  }
}

TEST(Extragradient, StopRequestedBeforeTheFirstPassIsAnInterruption) {
  const SimplexOracle oracle = noisy_problem();
  std::stop_source source;
  source.request_stop();
  Checkpoint checkpoint;
  LearnControl control;
  control.stop = source.get_token();
  control.checkpoint = &checkpoint;
  control.certify = true;
  std::vector<double> w(oracle.dimension());
  const EuclideanPartOracle& view = oracle;
  ExtragradientOptions options = penalty(0.1);
  options.max_iterations = 5;
  EXPECT_EQ(extragradient(view, options, w, control).termination, Termination::kInterrupted);
  control.stop = {};
  const LearnSummary resumed = extragradient(view, options, w, control);
  EXPECT_EQ(resumed.epochs, 5U);
  EXPECT_TRUE(checkpoint.empty());
  EXPECT_EQ(resumed.objective, run(view, options, 5).summary.objective);
}

TEST(Extragradient, StopsAtTheGapAskedFor) {
  const SimplexOracle oracle = noisy_problem();
  ExtragradientOptions options = penalty(0.05);
  options.max_iterations = 5000;
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 0.05;
  std::vector<double> w(oracle.dimension());
  const EuclideanPartOracle& view = oracle;
  const LearnSummary summary = extragradient(view, options, w, control);
  EXPECT_EQ(summary.termination, Termination::kConverged);
  EXPECT_LE(summary.gap(), 0.05);
  EXPECT_LT(summary.epochs, 5000U);
}

TEST(Extragradient, WithoutPenaltyAndBallTheBoundIsZero) {
  SimplexOracleOptions problem;
  problem.noise = 0.1;  // separable
  const SimplexOracle oracle(problem, 2);
  on_both_geometries(oracle, [&](const auto& view) {
    const RunResult result = run(view, ExtragradientOptions{}, 300);
    EXPECT_EQ(result.summary.bound, 0);
    EXPECT_LT(result.summary.objective, 0.02);
  });
}

TEST(Extragradient, StartsFromTheWeightsThatItIsGiven) {
  const SimplexOracle oracle = noisy_problem();
  const EuclideanPartOracle& view = oracle;
  ExtragradientOptions options = ball(WeightBall::kEuclidean, 1);
  const std::vector<double> start = {0.1, -0.2, 0.3, 0, 0.1, 0.2};
  // At the targets the losses do not pull on w: the first iterate is the start.
  std::vector<double> w = start;
  options.max_iterations = 1;
  extragradient(view, options, w);
  for (Index j = 0; j < w.size(); ++j) EXPECT_DOUBLE_EQ(w[j], start[j]);
  // Whatever the start, the saddle point is the same.
  options.max_iterations = 1000;
  LearnControl control;
  control.certify = true;
  const LearnSummary summary = extragradient(view, options, w, control);
  EXPECT_LT(summary.gap(), 5e-3);
  for (const std::vector<double>& point : points_of(oracle, options, w)) {
    EXPECT_LE(summary.bound, objective_at(oracle, options.lambda, point) + 1e-12);
  }
}

// Chains with tied transitions count parts; sums are all that is needed.
TEST(Extragradient, LearnsChainsByTheirMarginals) {
  RandomChainOptions chain_options;
  chain_options.num_examples = 10;
  chain_options.edges = true;
  chain_options.rules = true;
  chain_options.values = true;
  const RandomChains chains(chain_options, 4);
  const EntropicPartProblem<ChainModel> problem(chains.model());
  const RunResult result = run(problem, penalty(0.1), 600);
  EXPECT_LT(result.summary.gap(), 2e-3);
  // The optimum is that of the hinge losses, which another learner finds.
  const HingeProblem<ChainModel> hinge(chains.model());
  DcaOptions dca_options;
  dca_options.lambda = 0.1;
  dca_options.dual = DcaDual::kStored;
  dca_options.max_epochs = 500;
  LearnControl control;
  control.certify = true;
  std::vector<double> w(hinge.dimension());
  const LearnSummary by_dca = dca(hinge, dca_options, w, control);
  EXPECT_LE(result.summary.bound, by_dca.objective);
  EXPECT_LE(by_dca.bound, result.summary.objective);
}

// The kernelised learner against the one that has the monomials for features.
TEST(Extragradient, RunsOnKernelsAsOnTheirFeatures) {
  const BlockModel<Multiclass> vectors = labelled_vectors(40, false);
  const BlockModel<Multiclass> monomials = labelled_monomials(40);
  const std::vector<KernelBlock> quadratic = {{0, quadratic_kernel()}};
  const KernelModel<Multiclass> kernelised(vectors, quadratic);
  const EntropicKernelProblem<KernelModel<Multiclass>> by_kernel(kernelised);
  const EntropicPartProblem<BlockModel<Multiclass>> by_features(monomials);
  const double norm = spectral_norm(by_features).value();
  EXPECT_NEAR(spectral_norm(by_kernel).value(), norm, 2e-3 * norm);
  for (ExtragradientOptions options : {penalty(0.05), ball(WeightBall::kEuclidean, 1.5)}) {
    SCOPED_TRACE(options.identity());
    const RunResult kernel_run = run(by_kernel, options, 400);
    const RunResult feature_run = run(by_features, options, 400);
    EXPECT_LT(kernel_run.summary.gap(), 0.02);
    EXPECT_LE(kernel_run.summary.bound, feature_run.summary.objective + 1e-6);
    EXPECT_LE(feature_run.summary.bound, kernel_run.summary.objective + 1e-6);
    // The labels are a product of two features: no linear classifier comes near.
    const EntropicPartProblem<BlockModel<Multiclass>> linear(vectors);
    EXPECT_LT(kernel_run.summary.objective, run(linear, options, 400).summary.bound);
  }
  std::vector<double> w(by_kernel.dimension());
  EXPECT_THROW(extragradient(by_kernel, ball(WeightBall::kL1, 1), w), UsageError);
}

TEST(Extragradient, RefusesWhatDoesNotFit) {
  const SimplexOracle oracle = noisy_problem();
  const EuclideanPartOracle& view = oracle;
  std::vector<double> w(oracle.dimension());
  const auto refused = [&](const ExtragradientOptions& options) {
    EXPECT_THROW(extragradient(view, options, w), UsageError);
  };
  refused(penalty(-1));
  refused(ball(WeightBall::kEuclidean, 0));
  refused(ball(WeightBall::kEuclidean, std::numeric_limits<double>::infinity()));
  ExtragradientOptions both = ball(WeightBall::kL1, 1);
  both.lambda = 1;
  refused(both);
  ExtragradientOptions step = penalty(1);
  step.step_scale = 0;
  refused(step);
  ExtragradientOptions every = penalty(1);
  every.gap_every = 0;
  refused(every);
  std::vector<double> short_w(oracle.dimension() - 1);
  EXPECT_THROW(extragradient(view, penalty(1), short_w), UsageError);
  w[0] = 1;
  refused(ball(WeightBall::kL1, 1));
  SimplexOracleOptions none;
  none.num_examples = 0;
  const SimplexOracle empty(none, 1);
  EXPECT_THROW(extragradient(static_cast<const EuclideanPartOracle&>(empty), penalty(1), w),
               UsageError);
}

}  // namespace
}  // namespace trellis::testing
