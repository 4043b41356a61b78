// Weights that must stay >= 0: who can keeps them there, and reaches the minimum over those weights
// alone; who cannot says so.
#include "trellis/learn/frame/nonnegative.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/learn/run_result.h"
#include "tests/learn/test_oracles.h"
#include "trellis/base/error.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/frame/certificate.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"

namespace trellis::testing {
namespace {

constexpr double kLambda = 0.05;

// Passes all calls on to another oracle, after making sure that the weights are where the losses
// exist.
template <class OracleType>
class RestrictedBase : public OracleType {
 public:
  RestrictedBase(const OracleType& inner, std::vector<WeightRange> ranges)
      : inner_(inner), ranges_(std::move(ranges)) {}
  Index num_examples() const override { return inner_.num_examples(); }
  Index dimension() const override { return inner_.dimension(); }
  std::span<const WeightRange> nonnegative() const override { return ranges_; }
  std::unique_ptr<Scratch> make_scratch() const override { return inner_.make_scratch(); }
  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    check(w);
    return inner_.evaluate(i, w, scratch, cut);
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    check(w);
    return inner_.accumulate(i, w, scratch, gradient);
  }

  void check(std::span<const double> w) const {
    for (const WeightRange& range : ranges_) {
      for (Index j = range.begin; j < range.end; ++j) ASSERT_GE(w[j], 0) << "weight " << j;
    }
  }

 protected:
  const OracleType& inner_;
  std::vector<WeightRange> ranges_;
};

class RestrictedMargin final : public RestrictedBase<KBestOracle> {
 public:
  using RestrictedBase<KBestOracle>::RestrictedBase;
  double evaluate_k_best(Index i, std::span<const double> w, Index k, Scratch& scratch,
                         std::vector<Cut>& cuts) const override {
    return inner_.evaluate_k_best(i, w, k, scratch, cuts);
  }
};

using RestrictedSmooth = RestrictedBase<SmoothConvexOracle>;

// Some ranges that do not follow the runs of the slopes.
std::vector<WeightRange> some_ranges() {
  return {{1, 5}, {6, 7}, {10, 14}};
}

struct Problem {
  explicit Problem(std::uint64_t seed, Index n = 40)
      : data(ClassificationData::random(seed, n, 6, 3)),
        margin_losses(data),
        logistic_losses(data),
        margin(margin_losses, some_ranges()),
        smooth(logistic_losses, some_ranges()) {}
  ClassificationData data;
  MarginOracle margin_losses;
  LogisticOracle logistic_losses;
  RestrictedMargin margin;
  RestrictedSmooth smooth;
};

struct Honest {
  std::string name;
  double reachable_gap;  // relative; 0: it does not go to the minimum
  std::function<LearnSummary(const RestrictedMargin&, Index epochs, std::span<double>,
                             const LearnControl&)>
      run;
};

LearnSummary run_bcfw(const ConvexOracle& oracle, Index epochs, std::span<double> w,
                      const LearnControl& control, Index cache_size, BcfwAverage average) {
  BcfwOptions options;
  options.lambda = kLambda;
  options.max_epochs = epochs;
  options.cache_size = cache_size;
  options.average = average;
  return bcfw(oracle, options, w, control);
}

std::vector<Honest> learners_that_can() {
  return {
      {"bmrm", 1e-6,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         BmrmOptions options;
         options.lambda = kLambda;
         options.max_iterations = epochs;
         return bmrm(oracle, options, w, control);
       }},
      {"bcfw", 1e-2,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         return run_bcfw(oracle, epochs, w, control, 0, BcfwAverage::kNone);
       }},
      {"bcfw, mean", 1e-2,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         return run_bcfw(oracle, epochs, w, control, 0, BcfwAverage::kWeighted);
       }},
      {"bcfw, cached", 1e-4,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         return run_bcfw(oracle, epochs, w, control, 10, BcfwAverage::kNone);
       }},
      {"bcfw, cached mean", 1e-3,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         return run_bcfw(oracle, epochs, w, control, 10, BcfwAverage::kWeighted);
       }},
      {"dca, stored", 1e-2,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         DcaOptions options;
         options.lambda = kLambda;
         options.max_epochs = epochs;
         options.dual = DcaDual::kStored;
         return dca(oracle, options, w, control);
       }},
      {"sgd", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         SgdOptions options;
         options.lambda = kLambda;
         options.max_epochs = epochs;
         options.eta = 1;
         return static_cast<LearnSummary>(sgd(oracle, options, w, control));
       }},
      {"sgd, mean", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         SgdOptions options;
         options.lambda = kLambda;
         options.max_epochs = epochs;
         options.average = true;
         return static_cast<LearnSummary>(sgd(oracle, options, w, control));
       }},
      {"mira", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         KBestMiraOptions options;
         options.lambda = kLambda;
         options.max_epochs = epochs;
         return kbest_mira(oracle, options, w, control);
       }},
      {"mira, last", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         KBestMiraOptions options;
         options.lambda = kLambda;
         options.max_epochs = epochs;
         options.average = false;
         return kbest_mira(oracle, options, w, control);
       }},
      {"perceptron", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         PerceptronOptions options;
         options.max_epochs = epochs;
         options.max_voters = 3;
         return static_cast<LearnSummary>(perceptron(oracle, options, w, control));
       }},
      {"perceptron, last", 0,
       [](const auto& oracle, Index epochs, std::span<double> w, const LearnControl& control) {
         PerceptronOptions options;
         options.max_epochs = epochs;
         options.average = false;
         return static_cast<LearnSummary>(perceptron(oracle, options, w, control));
       }},
  };
}

TEST(NonNegative, WeightsStayThereAndTheObjectiveIsTheirs) {
  for (const Honest& learner : learners_that_can()) {
    SCOPED_TRACE(learner.name);
    const Problem problem(4);
    std::vector<double> w(problem.margin.dimension());
    LearnControl control;
    control.certify = true;
    control.observer = [&](EpochRecord& record, std::span<const double> seen) {
      problem.margin.check(seen);
      const double lambda = learner.name.starts_with("perceptron") ? 0 : kLambda;
      EXPECT_NEAR(record.objective, objective(problem.margin, seen, lambda), 1e-12);
      EXPECT_LE(record.bound, record.objective + 1e-12);
      return true;
    };
    learner.run(problem.margin, 8, w, control);
    problem.margin.check(w);
  }
}

TEST(NonNegative, AStartOutsideIsClipped) {
  for (const Honest& learner : learners_that_can()) {
    SCOPED_TRACE(learner.name);
    const Problem problem(5);
    std::vector<double> w(problem.margin.dimension(), -0.5);
    learner.run(problem.margin, 5, w, {});
    problem.margin.check(w);
  }
}

// The certificate bounds the restricted minimum from below, so reaching it within the gap is proof.
TEST(NonNegative, TheGapOfTheRestrictedProblemGoesToZero) {
  for (const Honest& learner : learners_that_can()) {
    if (learner.reachable_gap == 0) continue;
    SCOPED_TRACE(learner.name);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Problem problem(seed);
      std::vector<double> w(problem.margin.dimension());
      LearnControl control;
      control.certify = true;
      control.gap_tolerance = learner.reachable_gap;
      const LearnSummary summary = learner.run(problem.margin, 3000, w, control);
      EXPECT_EQ(summary.termination, Termination::kConverged);
      double last = 0;
      for (const EpochRecord& record : summary.history) {
        EXPECT_GE(record.bound, last - 1e-12);
        last = record.bound;
      }
    }
  }
}

TEST(NonNegative, TheRestrictionBinds) {
  const Problem problem(1);
  std::vector<double> restricted(problem.margin.dimension());
  std::vector<double> free(problem.margin.dimension());
  LearnControl control;
  control.gap_tolerance = 1e-6;
  BmrmOptions options;
  options.lambda = kLambda;
  const LearnSummary with = bmrm(problem.margin, options, restricted, control);
  const LearnSummary without = bmrm(problem.margin_losses, options, free, control);
  EXPECT_GT(with.objective, without.objective + 0.01);
  EXPECT_GT(std::count(restricted.begin(), restricted.end(), 0.0), 0);
}

TEST(NonNegative, SmoothLossesReachOneOptimumByTwoMethods) {
  const Problem problem(6);
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-5;
  std::vector<double> w(problem.smooth.dimension());
  BmrmOptions bundle;
  bundle.lambda = kLambda;
  const LearnSummary one = bmrm(problem.smooth, bundle, w, control);
  std::vector<double> v(problem.smooth.dimension());
  DcaOptions stored;
  stored.lambda = kLambda;
  stored.dual = DcaDual::kStored;
  stored.max_epochs = 2000;
  const LearnSummary two = dca(problem.smooth, stored, v, control);
  EXPECT_EQ(one.termination, Termination::kConverged);
  EXPECT_EQ(two.termination, Termination::kConverged);
  EXPECT_NEAR(one.objective, two.objective, 2e-5 * one.objective);
}

TEST(NonNegative, SameBitsForAnyNumberOfThreadsAndWhenInterrupted) {
  for (const Honest& learner : learners_that_can()) {
    SCOPED_TRACE(learner.name);
    const Problem problem(8);
    LearnControl control;
    control.certify = true;
    RunResult whole{{}, std::vector<double>(problem.margin.dimension())};
    whole.summary = learner.run(problem.margin, 6, whole.w, control);
    control.threads = 3;
    RunResult threaded{{}, std::vector<double>(problem.margin.dimension())};
    threaded.summary = learner.run(problem.margin, 6, threaded.w, control);
    expect_same_bits(whole, threaded);

    // Stops after the third epoch, by a token that the observer pulls.
    Checkpoint checkpoint;
    control.checkpoint = &checkpoint;
    std::stop_source source;
    control.stop = source.get_token();
    control.observer = [&](EpochRecord& record, std::span<const double>) {
      if (record.epoch == 3) source.request_stop();
      return true;
    };
    RunResult pieces{{}, std::vector<double>(problem.margin.dimension())};
    pieces.summary = learner.run(problem.margin, 6, pieces.w, control);
    ASSERT_EQ(pieces.summary.termination, Termination::kInterrupted);
    problem.margin.check(pieces.w);
    control.stop = {};
    control.observer = nullptr;
    pieces.summary = learner.run(problem.margin, 6, pieces.w, control);
    expect_same_bits(whole, pieces);
  }
}

TEST(NonNegative, WhoCannotRefuses) {
  const Problem problem(2);
  std::vector<double> w(problem.margin.dimension());
  EXPECT_THROW(lbfgs(problem.smooth, {}, w), UsageError);
  EXPECT_THROW(dca(problem.margin, {}, w), UsageError);
}

TEST(Clip, TouchesOnlyTheRangesAndOnlyWhatIsNegative) {
  const std::vector<WeightRange> ranges = {{1, 3}, {4, 5}};
  std::vector<double> w = {-1, -2, 3, -4, -5, -6};
  clip(ranges, w);
  EXPECT_EQ(w, (std::vector<double>{-1, 0, 3, -4, 0, -6}));
}

TEST(Clip, OfWhatAStepTouchedReportsEveryRaise) {
  const std::vector<WeightRange> ranges = some_ranges();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random draw(seed);
    std::vector<double> w(16);
    for (double& value : w) value = draw.normal();
    SparseVector touched;
    for (Index begin = draw.below(4); begin < 16; begin += 1 + draw.below(5)) {
      const Index size = std::min<Index>(1 + draw.below(4), 16 - begin);
      touched.append(begin, size);
      begin += size;
    }
    std::vector<double> expected = w;
    std::vector<double> raised(16);
    for (const SparseVector::Run& run : touched.runs()) {
      for (Index j = run.begin; j < run.begin + run.size; ++j) {
        const bool in = std::any_of(ranges.begin(), ranges.end(), [&](const WeightRange& r) {
          return r.begin <= j && j < r.end;
        });
        if (in) expected[j] = std::max(0.0, expected[j]);
      }
    }
    std::vector<double> before = w;
    clip_touched(ranges, touched, w, [&](Index j, double by) { raised[j] += by; });
    EXPECT_EQ(w, expected) << "seed " << seed;
    for (Index j = 0; j < 16; ++j) EXPECT_EQ(before[j] + raised[j], w[j]);
  }
}

}  // namespace
}  // namespace trellis::testing
