// Problem (P): bounds at every iteration around the optimum that a generic solver finds, and the
// same optimum by every variant.
#include "trellis/generative/margin/margin_training.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "tests/generative/margin/enumerated_losses.h"
#include "tests/generative/margin/projected_subgradient.h"
#include "trellis/base/error.h"

namespace trellis {
namespace {

using testing::BarrierSolver;
using testing::margin_objective;
using testing::MarginSetting;
using testing::random_problem;
using testing::SmallProblem;

// Its bounds are made of exact losses: cuts that need not touch are not taken.
template <class O>
concept TakenByMargins = requires(const O& losses, const Distributions& distributions,
                                  std::span<const double> c, const MarginOptions& options) {
  train_margin(losses, distributions, c, c, options);
};
static_assert(TakenByMargins<ConvexOracle> && TakenByMargins<HingeOracle>);
static_assert(!TakenByMargins<CutOracle> && !TakenByMargins<SearchOracle>);

std::vector<MarginSetting> settings() {
  std::vector<MarginSetting> all;
  for (const double eta : {0.02, 0.3, 3.0}) {
    for (const Divergence divergence : {Divergence::kForward, Divergence::kReverse}) {
      for (const Penalty penalty : {Penalty::kLinear, Penalty::kQuadratic}) {
        all.push_back({eta, divergence, penalty});
      }
    }
  }
  return all;
}

MarginOptions options_of(const MarginSetting& setting) {
  MarginOptions options;
  options.eta = setting.eta;
  options.divergence = setting.divergence;
  options.penalty = setting.penalty;
  return options;
}

void expect_masses_of_at_most_one(const SmallProblem& problem, std::span<const double> theta) {
  for (Index i = 0; i < problem.distributions.num(); ++i) {
    double mass = 0;
    for (Index j = problem.distributions.begin(i); j < problem.distributions.end(i); ++j) {
      mass += std::exp(theta[j]);
    }
    EXPECT_LE(mass, 1 + 1e-12);
  }
}

// What every variant is asked on small problems, compared with the optimum by the barrier method:
// bounds on both sides of it at every iteration, and at the end a gap of at most `certified` and an
// objective that is `near`. Returns the number of iterations.
Index expect_optimum(std::uint64_t seed, const MarginSetting& setting, MarginOptions options,
                     double certified, double near = 1e-6) {
  const SmallProblem problem = random_problem(seed);
  const double optimum =
      margin_objective(problem, setting, BarrierSolver(problem, setting).solve());
  const double slack = 1e-7 * (1 + optimum);
  double objective = 1e300, bound = -1e300;
  const MarginResult result =
      train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options,
                   [&](const MarginIteration& at, const auto&) {
                     EXPECT_LE(at.bound, optimum + slack);
                     EXPECT_GE(at.objective, optimum - slack);
                     EXPECT_LE(at.objective, objective);
                     EXPECT_GE(at.bound, bound);
                     objective = at.objective;
                     bound = at.bound;
                     return true;
                   });
  const auto what = [&] {
    return ::testing::Message() << "seed " << seed << " eta " << setting.eta << " divergence "
                                << static_cast<int>(setting.divergence) << " penalty "
                                << static_cast<int>(setting.penalty) << " gap " << result.gap
                                << " after " << result.iterations;
  };
  EXPECT_LE(result.gap, certified) << what();
  EXPECT_NEAR(result.objective, optimum, near * (1 + optimum)) << what();
  EXPECT_NEAR(margin_objective(problem, setting, result.theta), result.objective,
              1e-10 * (1 + optimum));
  expect_masses_of_at_most_one(problem, result.theta);
  return result.iterations;
}

TEST(MarginTraining, BoundsHoldTheOptimumAtEveryIterationAndMeetThere) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    for (const MarginSetting& setting : settings()) {
      // Where the reverse divergence lets a probability go to 0, the bound follows slowly.
      const bool forward = setting.divergence == Divergence::kForward;
      MarginOptions options = options_of(setting);
      options.gap = 1e-7;
      if (!forward) options.max_iterations = 200;
      expect_optimum(seed, setting, options, forward ? 1e-7 : 1e-4);
    }
  }
}

MarginOptions three_sets(const MarginSetting& setting) {
  MarginOptions options = options_of(setting);
  options.gap = 1e-7;
  options.directions = 2;
  options.working_sets = 3;
  return options;
}

TEST(MarginTraining, WorkingSetsMeetTheSameOptimum) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const MarginSetting& setting : settings()) {
      // The bound of the reverse divergence follows slowly, as above.
      const bool forward = setting.divergence == Divergence::kForward;
      MarginOptions options = three_sets(setting);
      if (!forward) options.max_iterations = 200;
      expect_optimum(seed, setting, options, forward ? 1e-7 : 1e-5);
      options.working_sets = 1;
      expect_optimum(seed, setting, options, forward ? 1e-7 : 1e-4);
    }
  }
}

// One set after the other is coordinate ascent over sets with round borders: it needs far more
// master problems, and with a large η it is not at the optimum after thousands of them.
TEST(MarginTraining, WorkingSetsInTurnGoThereSlowly) {
  struct Corner {
    MarginSetting setting;
    double certified, near;
  };
  constexpr auto kForward = Divergence::kForward, kReverse = Divergence::kReverse;
  constexpr auto kLinear = Penalty::kLinear, kQuadratic = Penalty::kQuadratic;
  const std::vector<Corner> corners = {
      {{0.02, kForward, kLinear}, 1e-7, 1e-6},   {{0.3, kForward, kLinear}, 1e-7, 1e-6},
      {{3, kForward, kLinear}, 1e-7, 1e-6},      {{0.02, kForward, kQuadratic}, 2e-6, 1e-6},
      {{0.3, kForward, kQuadratic}, 2e-6, 1e-6}, {{3, kForward, kQuadratic}, 2e-4, 2e-4},
      {{0.02, kReverse, kLinear}, 1e-7, 1e-6},   {{0.3, kReverse, kLinear}, 1e-6, 1e-6},
      {{3, kReverse, kLinear}, 0.03, 0.03},      {{0.02, kReverse, kQuadratic}, 2e-6, 1e-6},
      {{0.3, kReverse, kQuadratic}, 1e-4, 1e-4}, {{3, kReverse, kQuadratic}, 0.15, 0.15}};
  for (const Corner& corner : corners) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      MarginOptions options = three_sets(corner.setting);
      options.order = WorkingSets::kInTurn;
      options.max_iterations = 3000;
      expect_optimum(seed, corner.setting, options, corner.certified, corner.near);
      if (corner.setting.eta < 3) continue;
      options.order = WorkingSets::kTogether;
      EXPECT_LE(expect_optimum(seed, corner.setting, options, 1e-7), 50U);
    }
  }
}

// A vertex more than the face of the optimum has is enough; with fewer, the method crawls.
TEST(MarginTraining, FewVerticesSuffice) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MarginSetting setting{0.3, Divergence::kForward, Penalty::kLinear};
    MarginOptions options = options_of(setting);
    options.gap = 1e-7;
    options.vertices = 8;
    expect_optimum(seed, setting, options, 1e-7);
    const SmallProblem problem = random_problem(seed);
    options.vertices = 2;
    options.max_iterations = 500;
    const MarginResult result =
        train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options);
    EXPECT_LE(result.gap, 1e-3);
  }
}

// The hull that a stream of sets has expanded is a part of 𝒟, in which few examples count at a
// time: its dual never falls, and its bounds hold.
TEST(MarginTraining, OnlineSetsKeepValidBounds) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const SmallProblem problem = random_problem(seed);
    const MarginSetting setting{1, Divergence::kForward, Penalty::kLinear};
    const double optimum =
        margin_objective(problem, setting, BarrierSolver(problem, setting).solve());
    MarginOptions options = options_of(setting);
    options.working_sets = 3;
    options.order = WorkingSets::kOnline;
    options.max_iterations = 54;
    double lower = -1e300;
    Index changes = 0;
    const MarginResult result =
        train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options,
                     [&](const MarginIteration& at, const auto&) {
                       if (at.centre_changes == changes) {
                         EXPECT_GE(at.proximal_lower, lower - 1e-9);
                       }
                       lower = changes == at.centre_changes ? at.proximal_lower : -1e300;
                       changes = at.centre_changes;
                       return true;
                     });
    EXPECT_LE(result.bound, optimum + 1e-9);
    EXPECT_GE(result.objective, optimum - 1e-9);
  }
}

TEST(ProjectedSubgradient, FindsTheOptimumOfSimplicialDecomposition) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const SmallProblem problem = random_problem(seed);
    for (const MarginSetting& setting : settings()) {
      if (setting.eta > 0.1) continue;  // many more steps
      MarginOptions options = options_of(setting);
      options.gap = 1e-8;
      options.max_iterations = 200;
      const MarginResult found =
          train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options);
      SubgradientOptions primal;
      primal.eta = setting.eta;
      primal.divergence = setting.divergence;
      primal.penalty = setting.penalty;
      primal.level = found.objective;
      primal.enough = 5e-7 * found.objective;
      primal.steps = 30000;
      const SubgradientResult plain = projected_subgradient(*problem.losses, problem.distributions,
                                                            problem.c, problem.start, primal);
      EXPECT_NEAR(plain.objective, found.objective, 1e-6 * (1 + found.objective))
          << "seed " << seed;
    }
  }
}

TEST(MarginTraining, SameBitsForAnyNumberOfThreads) {
  const SmallProblem problem = random_problem(3, 200);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 3}) {
    MarginOptions options;
    options.eta = 0.05;
    options.threads = threads;
    results.push_back(
        train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options)
            .theta);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(MarginTraining, GoesOnWhereItStopped) {
  const SmallProblem problem = random_problem(5, 50);
  for (const WorkingSets order :
       {WorkingSets::kTogether, WorkingSets::kInTurn, WorkingSets::kOnline}) {
    MarginOptions options;
    options.eta = 0.1;
    options.gap = 1e-7;
    options.working_sets = 4;
    options.order = order;
    options.max_iterations = 60;
    const MarginResult whole =
        train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options);
    MarginState taken;
    const MarginResult first =
        train_margin(*problem.losses, problem.distributions, problem.c, problem.start, options,
                     [&](const MarginIteration& at, const std::function<MarginState()>& state) {
                       if (at.iteration < 7) return true;
                       taken = state();
                       return false;
                     });
    EXPECT_TRUE(first.stopped);
    const MarginResult rest = train_margin(*problem.losses, problem.distributions, problem.c,
                                           problem.start, options, {}, &taken);
    EXPECT_EQ(rest.theta, whole.theta);
    EXPECT_EQ(rest.bound, whole.bound);
    EXPECT_EQ(rest.iterations, whole.iterations);
  }
}

TEST(MarginTraining, RefusesWhatCannotBe) {
  const SmallProblem problem = random_problem(1);
  const auto train = [&](std::vector<double> c, std::vector<double> start, MarginOptions options) {
    return train_margin(*problem.losses, problem.distributions, c, start, options);
  };
  std::vector<double> zero = problem.c, short_one = problem.c, gone = problem.start;
  zero[0] = 0;
  short_one.pop_back();
  gone[0] = -std::numeric_limits<double>::infinity();
  EXPECT_THROW(train(zero, problem.start, {}), UsageError);
  EXPECT_THROW(train(short_one, problem.start, {}), UsageError);
  EXPECT_THROW(train(problem.c, gone, {}), UsageError);
  std::vector<double> too_much = problem.start;
  too_much[0] = 0.01;  // more than all
  EXPECT_THROW(train(problem.c, too_much, {}), UsageError);
  for (const auto& spoil : std::vector<std::function<void(MarginOptions&)>>{
           [](MarginOptions& o) { o.eta = 0; }, [](MarginOptions& o) { o.gamma = -1; },
           [](MarginOptions& o) { o.vertices = 1; }, [](MarginOptions& o) { o.gap = -1; },
           [](MarginOptions& o) { o.working_sets = 0; }}) {
    MarginOptions options;
    spoil(options);
    EXPECT_THROW(train(problem.c, problem.start, options), UsageError);
  }
}

}  // namespace
}  // namespace trellis
