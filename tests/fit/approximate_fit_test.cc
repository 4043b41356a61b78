// Models whose sums are bounds or estimates, with the learners that take them.
#include <gtest/gtest.h>

#include "tests/fit/choices.h"
#include "tests/problem/random_factor_models.h"
#include "trellis/fit/fit.h"

namespace trellis::testing {
namespace {

template <class M>
LearnSummary fit_by(const M& model, LearnerKind learner, std::vector<double>& w) {
  LearnerOptions said = saying(learner, "crf");
  said.epochs = 4;
  const LearnerChoice choice = choose(said, silent_task(), able_of<M>());
  w.assign(model.dimension(), 0.0);
  return fit(model, {choice, w}).summary;
}

TEST(ApproximateFit, BoundsAreLearnedFromWithoutACertificate) {
  const FactorGraphs graphs = random_rings(4, 10);
  const auto model = bounded_rings(graphs, {20, 1e-3}, 1);
  static_assert(able_of<BlockModel<ReweightedFactorGraph>>().bounded);
  for (const LearnerKind learner : {LearnerKind::kLbfgs, LearnerKind::kDca, LearnerKind::kSgd}) {
    std::vector<double> w;
    const LearnSummary summary = fit_by(model, learner, w);
    EXPECT_GT(summary.epochs, 0U);
    EXPECT_EQ(summary.certificate(), CertificateKind::kNone) << "a gap from bounds";
    EXPECT_LT(summary.history.back().loss, 1.1 * summary.history.front().loss);
  }
}

TEST(ApproximateFit, EstimatesAreForOnlineLearners) {
  const FactorGraphs graphs = random_rings(4, 10);
  const auto model = estimated_rings(graphs, 1);
  static_assert(able_of<BlockModel<BeliefFactorGraph>>().estimated);
  std::vector<double> w;
  for (const LearnerKind learner : {LearnerKind::kDca, LearnerKind::kSgd}) {
    EXPECT_GT(fit_by(model, learner, w).epochs, 0U);
  }
  for (const LearnerKind learner : {LearnerKind::kLbfgs, LearnerKind::kBmrm}) {
    EXPECT_THROW(fit_by(model, learner, w), UsageError);
  }
}

}  // namespace
}  // namespace trellis::testing
