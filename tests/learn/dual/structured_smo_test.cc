#include "trellis/learn/dual/structured_smo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tests/learn/label_data.h"
#include "tests/learn/run_result.h"
#include "tests/learn/test_oracles.h"
#include "tests/problem/chain/random_chains.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::testing::structured_smo_test {
namespace {

constexpr double kLambda = 0.05;

StructuredSmoOptions options(Index epochs = 2000) {
  StructuredSmoOptions options;
  options.lambda = kLambda;
  options.max_epochs = epochs;
  return options;
}

RunResult run(const PartOracle& oracle, const StructuredSmoOptions& options,
              const LearnControl& control = {}) {
  RunResult result{{}, std::vector<double>(oracle.dimension(), 7.0)};
  result.summary = structured_smo(oracle, options, result.w, control);
  return result;
}

// Chains with rules, weights of the examples and real values, seen through indicators.
struct ChainCase {
  explicit ChainCase(int order, std::uint64_t seed = 21)
      : chains(options(order), seed), untied(chains.model()), parts(untied), hinge(untied) {}

  static RandomChainOptions options(int order) {
    RandomChainOptions options;
    options.order = order;
    options.num_examples = 10;
    options.edges = order == 1;
    options.rules = true;
    options.values = true;
    options.set = FeatureSet::kAll;
    return options;
  }

  RandomChains chains;
  UntiedChainModel untied;
  EntropicPartProblem<UntiedChainModel> parts;
  HingeProblem<UntiedChainModel> hinge;
};

TEST(StructuredSmo, ReachesTheOptimumOfTheReferenceQp) {
  for (const int order : {1, 2, 3}) {
    const ChainCase chain(order);
    std::vector<double> reference(chain.parts.dimension());
    const LearnSummary exact = reference_qp(chain.parts, {kLambda}, reference);
    const RunResult result = run(chain.parts, options(), certified(1e-7));
    EXPECT_EQ(result.summary.termination, Termination::kConverged);
    EXPECT_NEAR(result.summary.objective, objective(chain.hinge, result.w, kLambda), 1e-12);
    EXPECT_NEAR(result.summary.objective, exact.objective,
                (result.summary.gap() + exact.gap()) * exact.objective);
  }
}

TEST(StructuredSmo, IsSmoWhereTheStructureIsOneLabel) {
  const LabelData data({}, 3);
  const MulticlassModel model = data.model();
  const EntropicPartProblem<MulticlassModel> parts(model);
  const RunResult result = run(parts, options(), certified(1e-6));
  EXPECT_EQ(result.summary.termination, Termination::kConverged);
  SmoOptions flat;
  flat.lambda = kLambda;
  flat.epsilon = 1e-9;
  std::vector<double> w(model.dimension());
  const LearnSummary summary = smo(LabelProblem(model), flat, w);
  EXPECT_NEAR(result.summary.objective, summary.objective, 1e-6);
}

TEST(StructuredSmo, BoundIsBelowTheObjectiveEverywhereAndNeverFalls) {
  const ChainCase chain(1);
  const RunResult result = run(chain.parts, options(40), certified());
  double last = 0;
  for (const EpochRecord& record : result.summary.history) {
    EXPECT_GE(record.bound, last - 1e-12);
    EXPECT_GE(record.objective, record.bound - 1e-12);
    last = record.bound;
  }
  Random draw(3);
  std::vector<double> v(result.w);
  for (int trial = 0; trial < 100; ++trial) {
    const double distance = std::pow(10.0, -4 + 5 * draw.uniform());
    for (Index j = 0; j < v.size(); ++j) v[j] = result.w[j] + distance * draw.normal();
    EXPECT_GE(objective(chain.hinge, v, kLambda), last - 1e-12);
  }
}

TEST(StructuredSmo, ReportsABoundWithoutAPassForIt) {
  const ChainCase chain(1);
  const RunResult without = run(chain.parts, options(5));
  const RunResult with = run(chain.parts, options(5), certified());
  EXPECT_EQ(without.w, with.w);
  EXPECT_EQ(without.summary.bound, with.summary.bound);
  EXPECT_TRUE(std::isnan(without.summary.objective));
}

TEST(StructuredSmo, SameBitsForAnyNumberOfThreads) {
  const ChainCase chain(2);
  LearnControl control = certified();
  control.seed = 5;
  const RunResult one = run(chain.parts, options(6), control);
  control.threads = 3;
  expect_same_bits(one, run(chain.parts, options(6), control));
}

// Requests a stop at one of the maximizations.
class StoppingParts final : public PartFacade<UntiedChainModel> {
 public:
  StoppingParts(const UntiedChainModel& model, CallCounter& counter)
      : PartFacade<UntiedChainModel>(model), counter_(counter) {}
  double maximize(Index i, std::span<const double> s, Scratch& scratch,
                  std::span<double> z) const override {
    counter_.tick();
    return PartFacade<UntiedChainModel>::maximize(i, s, scratch, z);
  }

 private:
  CallCounter& counter_;
};

TEST(StructuredSmo, SameBitsWhenInterruptedAnywhereAndResumed) {
  const ChainCase chain(1);
  CallCounter counter;
  const StoppingParts parts(chain.untied, counter);
  for (const bool certify : {false, true}) {
    LearnControl control;
    control.certify = certify;
    control.threads = 2;
    control.stop = counter.restart(0);
    const RunResult whole = run(parts, options(4), control);
    for (const Index piece : {Index{1}, Index{40}, Index{200}}) {
      Checkpoint checkpoint;
      control.checkpoint = &checkpoint;
      RunResult result;
      Index pieces = 0;
      do {
        control.stop = counter.restart(piece + 7 * pieces);
        result = run(parts, options(4), control);
        ++pieces;
        EXPECT_EQ(checkpoint.empty(), result.summary.termination != Termination::kInterrupted);
      } while (result.summary.termination == Termination::kInterrupted);
      EXPECT_GT(pieces, 1U);
      expect_same_bits(whole, result);
    }
    control.checkpoint = nullptr;
  }
}

TEST(StructuredSmo, RefusesPartsThatCount) {
  const ChainCase chain(2);
  const EntropicPartProblem<ChainModel> tied(chain.chains.model());
  EXPECT_THROW(run(tied, options()), UsageError);
}

class NonnegativeParts final : public PartFacade<UntiedChainModel> {
 public:
  using PartFacade<UntiedChainModel>::PartFacade;
  std::span<const WeightRange> nonnegative() const override { return {ranges_, 1}; }

 private:
  WeightRange ranges_[1] = {{0, 1}};
};

TEST(StructuredSmo, RefusesWhatDoesNotFit) {
  const ChainCase chain(1);
  EXPECT_THROW(run(NonnegativeParts(chain.untied), options()), UsageError);
  StructuredSmoOptions wrong = options();
  wrong.lambda = 0;
  EXPECT_THROW(run(chain.parts, wrong), UsageError);
  std::vector<double> short_w(chain.parts.dimension() - 1);
  EXPECT_THROW(structured_smo(chain.parts, options(), short_w), UsageError);
}

}  // namespace
}  // namespace trellis::testing::structured_smo_test
