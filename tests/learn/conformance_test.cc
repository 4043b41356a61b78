// Every learner, in every mode, through the suite of learner_conformance.h.
#include <gtest/gtest.h>

#include "tests/learn/learner_conformance.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"

namespace trellis::testing {
namespace {

constexpr double kLambda = 0.05;

const ConvexOracle& smooth(const TestProblem& problem) {
  return problem.smooth;
}
const ConvexOracle& margin(const TestProblem& problem) {
  return problem.margin;
}

LearnerCase perceptron_case(std::string name, bool average, Index max_voters) {
  return {std::move(name),
          0,
          0,
          0,
          margin,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) -> LearnSummary {
            PerceptronOptions options;
            options.max_epochs = epochs;
            options.average = average;
            options.max_voters = max_voters;
            return perceptron(problem.margin, options, w, control);
          }};
}

template <class Losses>
LearnerCase sgd_case(std::string name, Losses losses, double eta, bool average) {
  return {std::move(name),
          kLambda,
          0,
          eta > 0 && !average ? 0.02 : 0,
          losses,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) -> LearnSummary {
            SgdOptions options;
            options.lambda = kLambda;
            options.max_epochs = epochs;
            options.eta = eta;
            options.average = average;
            return sgd(losses(problem), options, w, control);
          }};
}

template <class Losses>
LearnerCase dca_case(std::string name, Losses losses, DcaDual dual, bool average) {
  return {std::move(name),
          kLambda,
          0,
          dual == DcaDual::kStored ? 1e-2 : 0,
          losses,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) {
            DcaOptions options;
            options.lambda = kLambda;
            options.max_epochs = epochs;
            options.dual = dual;
            options.average = average;
            return dca(losses(problem), options, w, control);
          }};
}

LearnerCase mira_case(std::string name, Index k) {
  return {std::move(name),
          kLambda,
          0,
          0,
          margin,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) {
            KBestMiraOptions options;
            options.lambda = kLambda;
            options.k = k;
            options.max_epochs = epochs;
            return kbest_mira(problem.margin, options, w, control);
          }};
}

LearnerCase lbfgs_case(std::string name, double lambda, double rho) {
  return {std::move(name),
          lambda,
          rho,
          lambda > 0 ? 1e-6 : 1e-3,
          smooth,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) {
            LbfgsOptions options;
            options.lambda = lambda;
            options.rho = rho;
            options.max_iterations = epochs;
            options.epsilon = options.delta = 0;
            return lbfgs(problem.smooth, options, w, control);
          }};
}

template <class Losses>
LearnerCase bmrm_case(std::string name, Losses losses, double reachable_gap,
                      const BmrmOptions& given) {
  return {std::move(name),
          kLambda,
          0,
          reachable_gap,
          losses,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) {
            BmrmOptions options = given;
            options.lambda = kLambda;
            options.max_iterations = epochs;
            return bmrm(losses(problem), options, w, control);
          }};
}

template <class Losses>
LearnerCase bcfw_case(std::string name, Losses losses, double reachable_gap,
                      const BcfwOptions& given) {
  return {std::move(name),
          kLambda,
          0,
          reachable_gap,
          losses,
          [=](const TestProblem& problem, Index epochs, std::span<double> w,
              const LearnControl& control) {
            BcfwOptions options = given;
            options.lambda = kLambda;
            options.max_epochs = epochs;
            return bcfw(losses(problem), options, w, control);
          }};
}

BmrmOptions plain_bmrm() {
  BmrmOptions options;
  options.line_search = false;
  return options;
}

BcfwOptions bcfw_without_mean() {
  BcfwOptions options;
  options.average = BcfwAverage::kNone;
  options.cache_size = 0;
  return options;
}

BcfwOptions bcfw_with_mean() {
  BcfwOptions options;
  options.average = BcfwAverage::kWeighted;
  options.cache_size = 0;
  return options;
}

BcfwOptions cached_bcfw(BcfwAverage average, Index cache_size) {
  BcfwOptions options;
  options.average = average;
  options.cache_size = cache_size;
  return options;
}

std::vector<LearnerCase> all_learners() {
  return {perceptron_case("AveragedPerceptron", true, 0),
          perceptron_case("PlainPerceptron", false, 0),
          perceptron_case("VotedPerceptron", true, 4),
          sgd_case("SgdLogistic", smooth, 1, false),
          sgd_case("SgdLogisticAveraged", smooth, 1, true),
          sgd_case("SgdHinge", margin, 1, false),
          sgd_case("SgdAutomaticRate", smooth, 0, true),
          dca_case("DcaLogistic", smooth, DcaDual::kOnline, true),
          dca_case("DcaLogisticLast", smooth, DcaDual::kOnline, false),
          dca_case("DcaHinge", margin, DcaDual::kOnline, true),
          dca_case("DcaStoredLogistic", smooth, DcaDual::kStored, false),
          dca_case("DcaStoredHinge", margin, DcaDual::kStored, false),
          mira_case("OneBestMira", 1),
          mira_case("ThreeBestMira", 3),
          bmrm_case("BmrmHinge", margin, 1e-6, {}),
          bmrm_case("BmrmHingePlain", margin, 1e-6, plain_bmrm()),
          bmrm_case("BmrmLogistic", smooth, 1e-6, {}),
          bcfw_case("Bcfw", margin, 1e-2, bcfw_with_mean()),
          bcfw_case("BcfwLast", margin, 1e-2, bcfw_without_mean()),
          bcfw_case("BcfwLogistic", smooth, 1e-3, bcfw_without_mean()),
          bcfw_case("BcfwCached", margin, 1e-4, cached_bcfw(BcfwAverage::kNone, 10)),
          bcfw_case("BcfwCachedMean", margin, 1e-3, cached_bcfw(BcfwAverage::kWeighted, 10)),
          bcfw_case("BcfwSmallCache", margin, 1e-3, cached_bcfw(BcfwAverage::kNone, 2)),
          lbfgs_case("Lbfgs", kLambda, 0),
          lbfgs_case("OwlQn", 0, 0.02),
          lbfgs_case("OwlQnElasticNet", kLambda, 0.02)};
}

std::vector<LearnerCase> convergent_learners() {
  std::vector<LearnerCase> learners = all_learners();
  std::erase_if(learners, [](const LearnerCase& learner) { return learner.reachable_gap == 0; });
  return learners;
}

INSTANTIATE_TEST_SUITE_P(Learners, LearnerConformance, ::testing::ValuesIn(all_learners()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Learners, ConvergentLearnerConformance,
                         ::testing::ValuesIn(convergent_learners()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace trellis::testing
