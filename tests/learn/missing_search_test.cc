// Learners over a search that misses: what they report is proved all the same, in every epoch. The
// optimum and P(w) are known by brute force.
#include "tests/learn/missing_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "tests/learn/run_result.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"

namespace trellis::testing {
namespace {

constexpr double kPenalty = 0.05;
constexpr double kRounding = 1e-9;

struct CutLearner {
  std::string name;
  double lambda;
  bool closes;  // goes to the optimum of what its search sees
  std::function<LearnSummary(const SearchOracle&, Index epochs, std::span<double> w,
                             const LearnControl&)>
      run;
};

std::ostream& operator<<(std::ostream& out, const CutLearner& learner) {
  return out << learner.name;
}

CutLearner by_bcfw(const char* name, Index cache, BcfwAverage average, bool closes) {
  return {name, kPenalty, closes,
          [=](const SearchOracle& oracle, Index epochs, std::span<double> w,
              const LearnControl& control) {
            BcfwOptions options;
            options.lambda = kPenalty;
            options.max_epochs = epochs;
            options.cache_size = cache;
            options.average = average;
            return bcfw(oracle, options, w, control);
          }};
}

CutLearner by_bmrm(const char* name, bool line_search) {
  return {name, kPenalty, true,
          [=](const SearchOracle& oracle, Index epochs, std::span<double> w,
              const LearnControl& control) {
            BmrmOptions options;
            options.lambda = kPenalty;
            options.max_iterations = epochs;
            options.line_search = line_search;
            return bmrm(oracle, options, w, control);
          }};
}

CutLearner by_dca(const char* name, DcaDual dual) {
  return {name, kPenalty, dual == DcaDual::kStored,
          [=](const SearchOracle& oracle, Index epochs, std::span<double> w,
              const LearnControl& control) {
            DcaOptions options;
            options.lambda = kPenalty;
            options.max_epochs = epochs;
            options.dual = dual;
            return dca(oracle, options, w, control);
          }};
}

CutLearner by_sgd(const char* name, bool average) {
  return {name, kPenalty, false,
          [=](const SearchOracle& oracle, Index epochs, std::span<double> w,
              const LearnControl& control) {
            SgdOptions options;
            options.lambda = kPenalty;
            options.max_epochs = epochs;
            options.eta = 0.5;
            options.average = average;
            return sgd(oracle, options, w, control);
          }};
}

CutLearner by_perceptron() {
  return {"perceptron", 0, false,
          [](const SearchOracle& oracle, Index epochs, std::span<double> w,
             const LearnControl& control) {
            PerceptronOptions options;
            options.max_epochs = epochs;
            return perceptron(oracle, options, w, control);
          }};
}

class MissingSearchLearners : public ::testing::TestWithParam<CutLearner> {
 protected:
  const CutLearner& learner() const { return GetParam(); }

  static void on_each_oracle(const ClassificationData& data,
                             const std::function<void(const MissingSearch&)>& check) {
    for (const Miss miss : {Miss::kNothing, Miss::kHidden, Miss::kNearTies}) {
      for (const double slack : {0.0, 0.02}) check(MissingSearch(data, miss, slack));
    }
  }

  RunResult run(const SearchOracle& oracle, Index epochs, const LearnControl& control) const {
    RunResult result{{}, std::vector<double>(oracle.dimension(), 0.0)};
    result.summary = learner().run(oracle, epochs, result.w, control);
    return result;
  }

  // P(w) by all labels, and its minimum.
  double objective(const MissingSearch& oracle, std::span<const double> w) const {
    double risk = 0, squares = 0;
    for (Index i = 0; i < oracle.num_examples(); ++i) risk += oracle.loss(i, w);
    for (const double weight : w) squares += weight * weight;
    return learner().lambda / 2 * squares + risk / static_cast<double>(oracle.num_examples());
  }
  double minimum(const MissingSearch& oracle) const {
    if (learner().lambda == 0) return 0;  // of a mean of losses ≥ 0, at least
    BmrmOptions options;
    options.lambda = learner().lambda;
    std::vector<double> w(oracle.dimension(), 0.0);
    return bmrm(oracle.truth(), options, w, certified(1e-9)).bound;
  }
};

TEST_P(MissingSearchLearners, EveryEpochHasAnHonestGap) {
  const ClassificationData data = ClassificationData::random(5, 24, 4, 4);
  on_each_oracle(data, [&](const MissingSearch& oracle) {
    const double least = minimum(oracle);
    Index epochs = 0;
    LearnControl control = certified();
    control.observer = [&](EpochRecord& record, std::span<const double> w) {
      const double truth = objective(oracle, w);
      EXPECT_LE(record.bound, least + kRounding);
      EXPECT_GE(record.objective, truth - kRounding);
      EXPECT_LE(record.objective - record.missed, truth + kRounding);
      EXPECT_GE(record.gap(), (truth - least) / record.objective - kRounding);
      ++epochs;
      return true;
    };
    const RunResult result = run(oracle, 30, control);
    EXPECT_GT(epochs, 0U);
    EXPECT_NEAR(result.summary.objective, result.summary.history.back().objective, 0);
    EXPECT_GE(result.summary.objective, objective(oracle, result.w) - kRounding);
  });
}

// Without upper bounds a run would take what its search sees for the whole, and say "converged".
TEST_P(MissingSearchLearners, NeverConvergesToAGapThatIsNotThere) {
  const ClassificationData data = ClassificationData::random(6, 24, 4, 4);
  on_each_oracle(data, [&](const MissingSearch& oracle) {
    const double tolerance = 1e-3;
    const double least = minimum(oracle);
    const RunResult result = run(oracle, 2000, certified(tolerance));
    const double truth = objective(oracle, result.w);
    if (result.summary.termination == Termination::kConverged) {
      EXPECT_LE((truth - least) / truth, tolerance + kRounding);
    }
    EXPECT_GE(result.summary.objective, truth - kRounding);
  });
}

TEST_P(MissingSearchLearners, StallsWhereAllThatIsLeftIsWhatWasMissed) {
  if (!learner().closes) return;
  const ClassificationData data = ClassificationData::random(7, 24, 4, 4);
  const MissingSearch hidden(data, Miss::kHidden);
  const RunResult stalled = run(hidden, 20000, certified(1e-3));
  EXPECT_EQ(stalled.summary.termination, Termination::kStalled);
  EXPECT_LT(stalled.summary.epochs, 20000U);
  EXPECT_GT(stalled.summary.gap(), 1e-3);
  EXPECT_GT(stalled.summary.missed, 0);
  EXPECT_EQ(stalled.summary.certificate(), CertificateKind::kUpperBounds);
  // What it could do it has done: by what its search sees, it is within the tolerance.
  const EpochRecord& last = stalled.summary.history.back();
  EXPECT_LE(last.objective - last.missed - last.bound, 1e-3 * last.objective);

  const MissingSearch whole(data, Miss::kNothing);
  const RunResult converged = run(whole, 20000, certified(1e-3));
  EXPECT_EQ(converged.summary.termination, Termination::kConverged);
  EXPECT_EQ(converged.summary.certificate(), CertificateKind::kExact);
  EXPECT_EQ(converged.summary.missed, 0);
}

// A search that sees no mistake any more is no proof that there is none.
TEST_P(MissingSearchLearners, AnEpochWithoutAStepProvesNothing) {
  ClassificationData data = ClassificationData::random(8, 6, 4, 4);
  for (ClassificationData::Example& example : data.examples) example.label = 0;
  const MissingSearch hidden(data, Miss::kHidden);
  const RunResult result = run(hidden, 3000, {});
  if (result.summary.termination == Termination::kConverged) {
    EXPECT_EQ(result.summary.certificate(), CertificateKind::kExact);
  }
}

TEST_P(MissingSearchLearners, SameBitsForAnyNumberOfThreadsAndWhenInterrupted) {
  const ClassificationData data = ClassificationData::random(9, 30, 4, 4);
  const MissingSearch oracle(data, Miss::kNearTies, 0.02);
  LearnControl control = certified();
  control.stop = oracle.counter.restart(0);
  const RunResult whole = run(oracle, 5, control);
  const Index total = oracle.counter.calls();
  control.threads = 3;
  expect_same_bits(whole, run(oracle, 5, control));
  for (const Index piece : {Index{1}, Index{23}, total - 1}) {
    Checkpoint checkpoint;
    control.checkpoint = &checkpoint;
    Index pieces = 0;
    RunResult result;
    do {
      control.stop = oracle.counter.restart(piece + 7 * pieces);
      ++pieces;
      result = run(oracle, 5, control);
    } while (result.summary.termination == Termination::kInterrupted);
    // At the last call but one, another thread may have made the last one.
    EXPECT_TRUE(pieces > 1 || piece + 1 >= total);
    expect_same_bits(whole, result);
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllThatTakeCuts, MissingSearchLearners,
    ::testing::Values(by_bcfw("bcfw", 20, BcfwAverage::kNone, true),
                      by_bcfw("bcfw without a cache", 0, BcfwAverage::kNone, true),
                      by_bcfw("bcfw averaged", 0, BcfwAverage::kWeighted, false),
                      by_bmrm("bmrm", true), by_bmrm("bmrm without a line search", false),
                      by_dca("dca stored", DcaDual::kStored), by_dca("dca", DcaDual::kOnline),
                      by_sgd("sgd", false), by_sgd("sgd averaged", true), by_perceptron()));

TEST(CertifyCuts, EnclosesTheObjective) {
  const ClassificationData data = ClassificationData::random(10, 20, 4, 4);
  for (const Miss miss : {Miss::kNothing, Miss::kHidden, Miss::kNearTies}) {
    const MissingSearch oracle(data, miss);
    Random draw(11);
    double missed = 0;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> w(oracle.dimension());
      for (double& weight : w) weight = draw.normal();
      Certificate certificate(w.size(), kPenalty);
      const Certified found = certify(oracle, w, kPenalty, 0, 1 + trial % 3, certificate);
      const double truth = testing::objective(oracle.truth(), w, kPenalty);
      EXPECT_NEAR(found.objective, truth, kRounding);  // the upper bounds are tight
      EXPECT_NEAR(found.objective - found.missed, testing::objective(oracle, w, kPenalty),
                  kRounding);
      missed += found.missed;
      EXPECT_LE(found.bound, truth + kRounding);
    }
    EXPECT_EQ(missed > 0, miss != Miss::kNothing);
  }
}

TEST(RelativeGap, IsAShareOfTheObjective) {
  EXPECT_EQ(relative_gap(2, 1), 0.5);
  EXPECT_EQ(relative_gap(2, 2), 0);
  EXPECT_EQ(relative_gap(0, 0), 0);
  EXPECT_EQ(relative_gap(1, 1 + 1e-15), 0);
  EXPECT_EQ(relative_gap(-2, -3), 0.5);
  EXPECT_TRUE(std::isnan(relative_gap(kUnknown, 1)));
  EXPECT_TRUE(std::isnan(relative_gap(1, kUnknown)));
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(relative_gap(kInfinite, kInfinite)));
}

}  // namespace
}  // namespace trellis::testing
