// fit() adds nothing to the learners: with any values of the dials its bits are those of a direct
// call with the options that these stand for.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/fit/choices.h"
#include "tests/learn/run_result.h"
#include "tests/learn/small_problems.h"
#include "trellis/fit/fit.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/batch/reference_qp.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/learn/dual/soft_smo.h"
#include "trellis/learn/dual/structured_smo.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"
#include "trellis/learn/saddle_point/example_game.h"
#include "trellis/learn/saddle_point/extragradient.h"
#include "trellis/learn/saddle_point/projected_gradient.h"
#include "trellis/structure/matchings/permutation.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

constexpr double kGamma = 0.7;
constexpr double kC = 3;

LearnControl control_of_seed(bool certify) {
  LearnControl control;
  control.seed = 11;
  control.certify = certify;
  return control;
}

struct DirectRun {
  RunResult result;
  std::vector<Voter> voters;
  double eta = 0;
};

template <class Model>
class DirectCall {
 public:
  explicit DirectCall(const Model& model, bool partial = false)
      : model_(model), partial_(partial) {}

  double lambda() const { return lambda_from_c(kC, model_.num_examples()); }
  std::vector<double> start() const { return std::vector<double>(model_.dimension(), 0.0); }

  DirectRun by_fit(LearnerOptions said, bool certify) const {
    if (said.learner != kPerceptron && !said.radius) said.c = kC;
    said.certify = certify;
    const LearnerChoice choice = choose(said, silent_task(), able_of<Model>(), partial_);
    DirectRun run{{{}, start()}, {}, 0};
    FitCall call{choice, run.result.w, control_of_seed(false)};  // certify is the choice's to set
    call.held_out = held_out_;
    Fitted fitted = fit(model_, call);
    run.result.summary = std::move(fitted.summary);
    run.voters = std::move(fitted.voters);
    run.eta = fitted.eta;
    return run;
  }

  // learner(w) is the direct call.
  template <class Learner>
  void expect_same(const LearnerOptions& said, const Learner& learner, bool certify = true) const {
    SCOPED_TRACE(to_string(*said.learner));
    RunResult direct{{}, start()};
    direct.summary = learner(direct.w, control_of_seed(certify));
    expect_same_bits(direct, by_fit(said, certify).result);
  }

  void judge_by(std::function<double(std::span<const double>)> held_out) {
    held_out_ = std::move(held_out);
  }

 private:
  const Model& model_;
  bool partial_;
  std::function<double(std::span<const double>)> held_out_;
};

class Direct : public ::testing::Test {
 protected:
  using Weights = std::vector<double>&;
  using Control = const LearnControl&;

  LearnerOptions hinge(LearnerKind learner, Index epochs) const {
    LearnerOptions said = saying(learner, "svm");
    said.gamma = kGamma;
    said.epochs = epochs;
    return said;
  }
  LearnerOptions smooth(LearnerKind learner, Index epochs) const {
    LearnerOptions said = saying(learner, "crf");
    said.beta = 2;
    said.gamma = kGamma;
    said.epochs = epochs;
    return said;
  }

  SmallMulticlass small_;
  const MulticlassModel& model_ = small_.model();
  DirectCall<MulticlassModel> call_{model_};
  HingeProblem<MulticlassModel> hinge_{model_, kGamma};
  SmoothProblem<MulticlassModel> smooth_{model_, 2, kGamma};
};

TEST_F(Direct, Perceptron) {
  LearnerOptions said = hinge(kPerceptron, 7);
  said.voters = 3;
  for (const bool average : {true, false}) {
    said.average = average;
    PerceptronOptions options;
    options.max_epochs = 7;
    options.average = average;
    options.max_voters = 3;
    call_.expect_same(said,
                      [&](Weights w, Control c) { return perceptron(hinge_, options, w, c); });
    std::vector<double> w = call_.start();
    const PerceptronSummary direct = perceptron(hinge_, options, w, control_of_seed(true));
    const DirectRun run = call_.by_fit(said, true);
    ASSERT_EQ(run.voters.size(), direct.voters.size());
    ASSERT_FALSE(run.voters.empty());
    for (Index v = 0; v < run.voters.size(); ++v) {
      EXPECT_EQ(run.voters[v].weights, direct.voters[v].weights);
      EXPECT_EQ(run.voters[v].votes, direct.voters[v].votes);
    }
  }
}

TEST_F(Direct, KBestMira) {
  LearnerOptions said = hinge(kMira, 6);
  said.k = 3;
  said.average = false;
  const KBestProblem<MulticlassModel> problem(model_, kGamma);
  const KBestMiraOptions options{call_.lambda(), 3, 6, VisitOrder::kRandom, false};
  call_.expect_same(said, [&](Weights w, Control c) { return kbest_mira(problem, options, w, c); });
}

TEST_F(Direct, SgdWithARateOfItsOwnOrOneThatHeldOutDataChoose) {
  call_.judge_by([](std::span<const double> w) { return -w[0]; });
  for (const double eta : {0.3, 0.0}) {
    SgdOptions options;
    options.lambda = call_.lambda();
    options.max_epochs = 6;
    options.eta = eta;
    options.average = true;
    options.held_out = [](std::span<const double> w) { return -w[0]; };
    LearnerOptions said = hinge(kSgd, 6);
    said.average = true;
    said.eta = eta;
    call_.expect_same(said, [&](Weights w, Control c) { return sgd(hinge_, options, w, c); });
    said = smooth(kSgd, 6);
    said.average = true;
    said.eta = eta;
    call_.expect_same(said, [&](Weights w, Control c) { return sgd(smooth_, options, w, c); });
    std::vector<double> w = call_.start();
    const double chosen_rate = sgd(smooth_, options, w, control_of_seed(true)).eta;
    EXPECT_EQ(call_.by_fit(said, true).eta, chosen_rate);
    EXPECT_GT(chosen_rate, 0);
  }
}

TEST_F(Direct, DcaOfBothDuals) {
  for (const bool stored : {false, true}) {
    for (const bool average : {false, true}) {
      DcaOptions options;
      options.lambda = call_.lambda();
      options.max_epochs = 6;
      options.dual = stored ? DcaDual::kStored : DcaDual::kOnline;
      options.average = average;
      for (const bool soft : {false, true}) {
        LearnerOptions said = soft ? smooth(kDca, 6) : hinge(kDca, 6);
        said.dual = stored ? "stored" : "online";
        said.average = average;
        call_.expect_same(said, [&](Weights w, Control c) {
          return soft ? dca(smooth_, options, w, c) : dca(hinge_, options, w, c);
        });
      }
    }
  }
}

TEST_F(Direct, BcfwWithAndWithoutACache) {
  for (const Index cache : {Index{0}, Index{4}}) {
    for (const bool average : {false, true}) {
      BcfwOptions options;
      options.lambda = call_.lambda();
      options.max_epochs = 7;
      options.cache_size = cache;
      options.average = average ? BcfwAverage::kWeighted : BcfwAverage::kNone;
      options.gap_every = 3;
      for (const bool soft : {false, true}) {
        LearnerOptions said = soft ? smooth(kBcfw, 7) : hinge(kBcfw, 7);
        said.cache = cache;
        said.average = average;
        said.gap_every = 3;
        call_.expect_same(said, [&](Weights w, Control c) {
          return soft ? bcfw(smooth_, options, w, c) : bcfw(hinge_, options, w, c);
        });
      }
    }
  }
}

TEST_F(Direct, Bmrm) {
  BmrmOptions options;
  options.lambda = call_.lambda();
  options.max_iterations = 9;
  call_.expect_same(hinge(kBmrm, 9),
                    [&](Weights w, Control c) { return bmrm(hinge_, options, w, c); });
  call_.expect_same(smooth(kBmrm, 9),
                    [&](Weights w, Control c) { return bmrm(smooth_, options, w, c); });
}

TEST_F(Direct, LbfgsAndOwlQn) {
  for (const double l1 : {0.0, 0.4}) {
    LbfgsOptions options;
    options.lambda = call_.lambda();
    options.rho = l1 / static_cast<double>(model_.num_examples());
    options.max_iterations = 12;
    options.epsilon = 1e-3;
    options.delta = 1e-4;
    LearnerOptions said = smooth(kLbfgs, 12);
    said.l1 = l1;
    said.epsilon = 1e-3;
    said.delta = 1e-4;
    call_.expect_same(said, [&](Weights w, Control c) {
      return lbfgs(static_cast<const SmoothConvexOracle&>(smooth_), options, w, c);
    });
  }
}

TEST_F(Direct, ExtragradientOfBothGeometriesAndThreeBalls) {
  const EuclideanPartProblem<MulticlassModel> euclidean(model_, kGamma);
  const EntropicPartProblem<MulticlassModel> entropic(model_, kGamma);
  for (const WeightBall ball : {WeightBall::kNone, WeightBall::kEuclidean, WeightBall::kL1}) {
    ExtragradientOptions options;
    options.ball = ball;
    if (ball == WeightBall::kNone) options.lambda = call_.lambda();
    if (ball != WeightBall::kNone) options.radius = 0.8;
    options.max_iterations = 10;
    options.step_scale = 2;
    options.gap_every = 4;
    LearnerOptions said = hinge(kExtragradient, 10);
    if (ball != WeightBall::kNone) said.radius = 0.8;
    said.l1_ball = ball == WeightBall::kL1;
    said.step_scale = 2;
    said.gap_every = 4;
    for (const char* steps : {"governed", "plain"}) {
      said.steps = steps;
      options.adaptive = options.accelerate = steps == std::string("governed");
      options.balance = options.adaptive ? 0 : 1;
      said.geometry = "euclidean";
      call_.expect_same(
          said, [&](Weights w, Control c) { return extragradient(euclidean, options, w, c); });
      said.geometry = "entropic";
      call_.expect_same(
          said, [&](Weights w, Control c) { return extragradient(entropic, options, w, c); });
    }
  }
}

TEST_F(Direct, ExtragradientByExamples) {
  const EuclideanPartProblem<MulticlassModel> euclidean(model_, kGamma);
  const EntropicPartProblem<MulticlassModel> entropic(model_, kGamma);
  ExampleGameOptions options;
  options.lambda = call_.lambda();
  options.max_epochs = 10;
  options.step_scale = 2;
  options.gap_every = 4;
  LearnerOptions said = hinge(kExtragradient, 10);
  said.step_scale = 2;
  said.gap_every = 4;
  said.geometry = "euclidean";
  call_.expect_same(said,
                    [&](Weights w, Control c) { return example_game(euclidean, options, w, c); });
  said.geometry = "entropic";
  said.steps = "examples";
  call_.expect_same(said,
                    [&](Weights w, Control c) { return example_game(entropic, options, w, c); });
}

TEST_F(Direct, ProjectedGradient) {
  const EuclideanPartProblem<MulticlassModel> problem(model_, kGamma);
  for (const bool ball : {false, true}) {
    ProjectedGradientOptions options;
    if (!ball) options.lambda = call_.lambda();
    if (ball) options.ball = WeightBall::kEuclidean;
    if (ball) options.radius = 0.8;
    options.max_iterations = 10;
    options.step_scale = 0.5;
    options.gap_every = 4;
    LearnerOptions said = hinge(kProjectedGradient, 10);
    if (ball) said.radius = 0.8;
    said.step_scale = 0.5;
    said.gap_every = 4;
    call_.expect_same(
        said, [&](Weights w, Control c) { return projected_gradient(problem, options, w, c); });
  }
}

TEST_F(Direct, SmoByItsViolationAndByTheGap) {
  const LabelProblem problem(model_, kGamma);
  SmoOptions options;
  options.lambda = call_.lambda();
  options.max_epochs = 50;
  options.epsilon = 0.1;
  LearnerOptions said = hinge(kSmo, 50);
  said.epsilon = 0.1;
  call_.expect_same(said, [&](Weights w, Control c) { return smo(problem, options, w, c); });
  // Where a gap is asked for, nothing else ends the run.
  said.gap = 1e-6;
  options.epsilon = std::numeric_limits<double>::min();
  call_.expect_same(said, [&](Weights w, LearnControl c) {
    c.gap_tolerance = 1e-6;
    return smo(problem, options, w, c);
  });
}

TEST_F(Direct, SmoOfASmoothLoss) {
  const LabelProblem problem(model_, kGamma);
  const SoftSmoOptions options{call_.lambda(), 2, 50, 0.1};
  LearnerOptions said = smooth(kSmo, 50);
  said.epsilon = 0.1;
  call_.expect_same(said, [&](Weights w, Control c) { return soft_smo(problem, options, w, c); });
}

TEST_F(Direct, StructuredSmo) {
  const PartProblem<MulticlassModel> problem(model_, kGamma);
  StructuredSmoOptions options;
  options.lambda = call_.lambda();
  options.max_epochs = 6;
  call_.expect_same(hinge(kStructuredSmo, 6),
                    [&](Weights w, Control c) { return structured_smo(problem, options, w, c); });
}

TEST_F(Direct, ReferenceQpByThePenaltyAndInABall) {
  const PartProblem<MulticlassModel> problem(model_, kGamma);
  LearnerOptions said = saying(kQp, "svm");
  said.gamma = kGamma;
  call_.expect_same(said, [&](Weights w, Control c) {
    return reference_qp(problem, {call_.lambda()}, w, {}, c);
  });
  said.radius = 0.8;
  call_.expect_same(said, [&](Weights w, Control c) {
    return reference_qp(problem, {0, 0.8}, w, {}, c);
  });
}

TEST_F(Direct, TheGapOfTheChoiceEndsTheRun) {
  LearnerOptions said = hinge(kBmrm, 1000);
  said.gap = 0.05;
  BmrmOptions options;
  options.lambda = call_.lambda();
  call_.expect_same(said, [&](Weights w, LearnControl c) {
    c.gap_tolerance = 0.05;
    return bmrm(hinge_, options, w, c);
  });
  EXPECT_EQ(call_.by_fit(said, false).result.summary.termination, Termination::kConverged);
}

TEST(DirectDraws, AreThoseOfTheMonteCarloProblem) {
  const SmallParts<Permutation> small(Permutation(4));
  const DirectCall<BlockModel<Permutation>> call(small.model());
  LearnerOptions said = saying(kSgd, "crf");
  said.gamma = kGamma;
  said.draws = 6;
  said.eta = 0.2;
  said.epochs = 5;
  const MonteCarloProblem<BlockModel<Permutation>> problem(small.model(), {6, 11, 1, kGamma});
  SgdOptions options;
  options.lambda = call.lambda();
  options.max_epochs = 5;
  options.eta = 0.2;
  options.average = true;
  call.expect_same(
      said,
      [&](std::vector<double>& w, const LearnControl& c) { return sgd(problem, options, w, c); },
      false);
}

TEST(DirectPartial, LabelsAreSummedOver) {
  RandomChainOptions chain_options;
  chain_options.num_examples = 8;
  chain_options.partial = true;
  const RandomChains chains(chain_options, 3);
  const DirectCall<ChainModel> call(chains.model(), true);
  const PartialProblem<ChainModel> problem(chains.model(), 2, kGamma);
  LearnerOptions said = saying(kLbfgs, "crf");
  said.beta = 2;
  said.gamma = kGamma;
  said.epochs = 6;
  LbfgsOptions lbfgs_options;
  lbfgs_options.lambda = call.lambda();
  lbfgs_options.max_iterations = 6;
  call.expect_same(
      said,
      [&](std::vector<double>& w, const LearnControl& c) {
        return lbfgs(problem, lbfgs_options, w, c);
      },
      false);
  said.learner = kSgd;
  said.eta = 0.2;
  SgdOptions sgd_options;
  sgd_options.lambda = call.lambda();
  sgd_options.max_epochs = 6;
  sgd_options.eta = 0.2;
  call.expect_same(
      said,
      [&](std::vector<double>& w, const LearnControl& c) {
        return sgd(problem, sgd_options, w, c);
      },
      false);
}

}  // namespace
}  // namespace trellis::testing
