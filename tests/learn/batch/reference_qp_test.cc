#include "trellis/learn/batch/reference_qp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/learn/label_data.h"
#include "tests/learn/test_oracles.h"
#include "tests/problem/chain/random_chains.h"
#include "trellis/base/error.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/dual/smo.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_problem.h"
#include "trellis/problem/part_problem.h"

namespace trellis::testing::reference_qp_test {
namespace {

constexpr double kLambda = 0.05;

using FlatParts = EntropicPartProblem<MulticlassModel>;
using ChainParts = EntropicPartProblem<ChainModel>;

double norm(std::span<const double> w) {
  double square = 0;
  for (const double weight : w) square += weight * weight;
  return std::sqrt(square);
}

RandomChainOptions chain_options(int order) {
  RandomChainOptions options;
  options.order = order;
  options.num_examples = 8;
  options.edges = order == 1;
  options.rules = true;
  options.values = true;  // and weights of the examples
  options.set = FeatureSet::kAll;
  return options;
}

// One example x = ½ of label 1 out of 2: w = ±α x with α = min(1/λ, 1/2x²).
TEST(ReferenceQp, OneExampleIsInClosedForm) {
  const std::vector<std::uint64_t> begin = {0, 2};
  const std::vector<std::uint32_t> targets = {0, 1};
  const CostTable costs = CostTable::hamming(2);
  const std::vector<Label> labels = {1};
  AttributeStore store;
  const std::vector<std::uint32_t> positions = {0, 1};
  const std::vector<AttributeId> ids = {0};
  const std::vector<float> values = {0.5F};
  store.add(positions, ids, values);
  store.finish(ids, 1);
  const MulticlassModel model(AttributeRows(begin, targets, 2), store, labels, costs);
  const FlatParts parts(model);
  for (const double lambda : {0.01, 10.0}) {
    std::vector<double> w(2);
    const LearnSummary summary = reference_qp(parts, {lambda}, w);
    const double alpha = std::min(1 / lambda, 2.0);
    EXPECT_EQ(summary.termination, Termination::kConverged);
    EXPECT_NEAR(w[0], -0.5 * alpha, 1e-7);
    EXPECT_NEAR(w[1], 0.5 * alpha, 1e-7);
  }
  // Within a ball too small for a margin of 1, the weights are as long as they may be.
  std::vector<double> w(2);
  const LearnSummary summary = reference_qp(parts, {0, 0.5}, w);
  EXPECT_NEAR(w[1], 0.5 / std::sqrt(2.0), 1e-7);
  EXPECT_NEAR(summary.objective, 1 - 0.5 / std::sqrt(2.0), 1e-7);
}

TEST(ReferenceQp, ProvesItsOptimum) {
  for (const int order : {1, 2}) {
    const RandomChains chains(chain_options(order), 21);
    const ChainParts parts(chains.model());
    const HingeProblem hinge(chains.model());
    std::vector<double> w(parts.dimension());
    const LearnSummary summary = reference_qp(parts, {kLambda}, w);
    EXPECT_EQ(summary.termination, Termination::kConverged);
    EXPECT_NEAR(summary.objective, objective(hinge, w, kLambda), 1e-12);
    EXPECT_LE(summary.bound, summary.objective);
    EXPECT_LE(summary.gap(), 1e-7);
  }
}

TEST(ReferenceQp, EqualsSmoOnFlatClassifiers) {
  LabelDataOptions kind;
  kind.weighted = true;
  const LabelData data(kind, 4);
  const MulticlassModel model = data.model();
  const FlatParts parts(model);
  std::vector<double> w(model.dimension()), v(model.dimension());
  const LearnSummary summary = reference_qp(parts, {kLambda}, w);
  SmoOptions options;
  options.lambda = kLambda;
  options.epsilon = 1e-10;
  options.max_epochs = 10000;
  smo(LabelProblem(model), options, v);
  EXPECT_LE(summary.gap(), 1e-8);
  for (Index j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], 1e-4);
}

TEST(ReferenceQp, LiesBetweenTheBoundAndTheObjectiveOfDca) {
  const RandomChains chains(chain_options(1), 5);
  const ChainParts parts(chains.model());
  std::vector<double> w(parts.dimension()), v(parts.dimension());
  const LearnSummary summary = reference_qp(parts, {kLambda}, w);
  DcaOptions options;
  options.lambda = kLambda;
  options.dual = DcaDual::kStored;
  options.max_epochs = 300;
  LearnControl control;
  control.certify = true;
  const LearnSummary other = dca(HingeProblem(chains.model()), options, v, control);
  EXPECT_LE(other.bound, summary.objective + 1e-9);
  EXPECT_GE(other.objective, summary.bound - 1e-9);
  EXPECT_NEAR(other.objective, summary.objective, 0.02 * summary.objective);
}

TEST(ReferenceQp, ABallOfTheOptimumsNormHasTheSameRisk) {
  const LabelData data({}, 4);
  const MulticlassModel model = data.model();
  const FlatParts parts(model);
  std::vector<double> w(model.dimension()), v(model.dimension());
  const LearnSummary penalty = reference_qp(parts, {kLambda}, w);
  const LearnSummary ball = reference_qp(parts, {0, norm(w)}, v);
  EXPECT_LE(norm(v), norm(w) * (1 + 1e-12));
  EXPECT_LE(ball.gap(), 1e-7);
  EXPECT_NEAR(ball.objective, penalty.objective - kLambda / 2 * norm(w) * norm(w), 1e-7);
}

// Weights that must stay ≥ 0, said of a problem that could do without.
class HalfNonnegative final : public PartFacade<MulticlassModel> {
 public:
  explicit HalfNonnegative(const MulticlassModel& model)
      : PartFacade<MulticlassModel>(model), ranges_{{0, model.dimension() / 2}} {}
  std::span<const WeightRange> nonnegative() const override { return ranges_; }

 private:
  std::vector<WeightRange> ranges_;
};

TEST(ReferenceQp, HonoursWeightsThatMustNotBeNegative) {
  const LabelData data({}, 9);
  const MulticlassModel model = data.model();
  const HalfNonnegative parts(model);
  for (const WeightPenalty& penalty : {WeightPenalty{kLambda}, WeightPenalty{0, 0.7}}) {
    std::vector<double> free(model.dimension()), w(model.dimension());
    const LearnSummary unbound = reference_qp(FlatParts(model), penalty, free);
    const LearnSummary summary = reference_qp(parts, penalty, w);
    ASSERT_LT(*std::min_element(free.begin(), free.begin() + 12), -1e-3);
    for (Index j = 0; j < w.size() / 2; ++j) EXPECT_GE(w[j], 0);
    EXPECT_LE(summary.gap(), 1e-7);
    EXPECT_GT(summary.objective, unbound.objective + 1e-6);
  }
}

TEST(ReferenceQp, LossFallsAlongThePathOfGrowingBalls) {
  const RandomChains chains(chain_options(1), 3);
  const ChainParts parts(chains.model());
  std::vector<WeightPenalty> penalties;
  for (const double radius : {0.1, 0.3, 1.0}) penalties.push_back({0, radius});
  const std::vector<PathPoint> path = regularisation_path(parts, penalties);
  ASSERT_EQ(path.size(), 3U);
  for (Index k = 0; k < path.size(); ++k) {
    EXPECT_LE(norm(path[k].w), penalties[k].radius * (1 + 1e-12));
    EXPECT_LE(path[k].summary.gap(), 1e-6);
    if (k > 0) {
      EXPECT_LE(path[k].summary.objective, path[k - 1].summary.objective + 1e-9);
    }
  }
  // As it is when solved alone.
  std::vector<double> w(parts.dimension());
  EXPECT_EQ(reference_qp(parts, penalties[1], w).objective, path[1].summary.objective);
}

TEST(ReferenceQp, SaysHowLargeItIsAndRefusesWhatIsTooLarge) {
  const LabelData data({}, 9);
  const MulticlassModel model = data.model();
  const FlatParts parts(model);
  std::vector<double> w(model.dimension());
  ReferenceQpSize size;
  reference_qp(parts, {kLambda}, w, {}, {}, &size);
  // One constraint per label of each example; w, one y per example, and μ for each label.
  EXPECT_EQ(size.constraints, 40U * 4);
  EXPECT_GE(size.variables, model.dimension() + 40);
  ReferenceQpOptions options;
  options.max_nonzeros = size.nonzeros;
  EXPECT_NO_THROW(reference_qp(parts, {kLambda}, w, options));
  const auto refusal = [&] {
    try {
      reference_qp(parts, {kLambda}, w, options);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  options.max_nonzeros = size.nonzeros - 1;
  EXPECT_NE(refusal().find("too large"), std::string::npos) << refusal();
  EXPECT_NE(refusal().find(std::to_string(options.max_nonzeros)), std::string::npos) << refusal();
  options.max_nonzeros = size.nonzeros;
  EXPECT_GE(size.factor.nonzeros, size.nonzeros);
  options.max_factor_nonzeros = size.factor.nonzeros;
  EXPECT_EQ(refusal(), "accepted");
  options.max_factor_nonzeros = size.factor.nonzeros - 1;
  EXPECT_NE(refusal().find("too large"), std::string::npos) << refusal();
  EXPECT_NE(refusal().find(std::to_string(size.variables)), std::string::npos) << refusal();
}

// What is proved holds wherever the work ends, and says that it has ended there.
TEST(ReferenceQp, ALimitOnItsWorkEndsIt) {
  const RandomChains chains(chain_options(1), 21);
  const ChainParts parts(chains.model());
  const HingeProblem hinge(chains.model());
  std::vector<double> best(parts.dimension());
  ReferenceQpSize size;
  const LearnSummary whole = reference_qp(parts, {kLambda}, best, {}, {}, &size);
  const Index all = whole.history.front().updates;
  Index limited = 0;
  for (const Index iterations : {Index{1}, all / 2, all + 1}) {
    ReferenceQpOptions options;
    options.max_work = static_cast<double>(iterations) * size.factor.operations;
    std::vector<double> w(parts.dimension());
    const LearnSummary summary = reference_qp(parts, {kLambda}, w, options);
    EXPECT_LE(summary.history.front().updates, iterations);
    EXPECT_NEAR(summary.objective, objective(hinge, w, kLambda), 1e-12);
    EXPECT_LE(summary.bound, whole.objective + 1e-12);
    EXPECT_GE(summary.objective, whole.bound - 1e-12);
    if (summary.termination == Termination::kLimit) ++limited;
    if (iterations < all) {
      EXPECT_EQ(summary.termination, Termination::kLimit);
    }
  }
  EXPECT_GE(limited, 2U);
  ReferenceQpOptions options;
  options.max_iterations = 3;
  std::vector<double> w(parts.dimension());
  EXPECT_EQ(reference_qp(parts, {kLambda}, w, options).termination, Termination::kLimit);
}

TEST(ReferenceQp, ReportsItsIterationsAsTheyEnd) {
  const LabelData data({}, 9);
  const MulticlassModel model = data.model();
  std::vector<Index> iterations;
  Index finished = 0;
  LearnControl control;
  control.observer = [&](EpochRecord& record, std::span<const double> w) {
    EXPECT_EQ(w.empty(), !record.finished);
    if (record.finished) {
      ++finished;
    } else {
      iterations.push_back(record.updates);
    }
    return true;
  };
  std::vector<double> w(model.dimension());
  const LearnSummary summary = reference_qp(FlatParts(model), {kLambda}, w, {}, control);
  EXPECT_EQ(finished, 1U);
  EXPECT_EQ(summary.history.size(), 1U);
  EXPECT_EQ(iterations.back(), summary.history.front().updates);
  EXPECT_TRUE(std::is_sorted(iterations.begin(), iterations.end()));
}

TEST(ReferenceQp, StopsWhenAsked) {
  const LabelData data({}, 9);
  const MulticlassModel model = data.model();
  std::stop_source source;
  source.request_stop();
  LearnControl control;
  control.stop = source.get_token();
  std::vector<double> w(model.dimension());
  EXPECT_EQ(reference_qp(FlatParts(model), {kLambda}, w, {}, control).termination,
            Termination::kInterrupted);
  const std::vector<WeightPenalty> penalties = {{kLambda}};
  EXPECT_TRUE(regularisation_path(FlatParts(model), penalties, {}, control).empty());
}

TEST(ReferenceQp, RefusesWhatDoesNotFit) {
  const LabelData data({}, 9);
  const MulticlassModel model = data.model();
  const FlatParts parts(model);
  std::vector<double> w(model.dimension());
  EXPECT_THROW(reference_qp(parts, {0}, w), UsageError);
  EXPECT_THROW(reference_qp(parts, {-1}, w), UsageError);
  EXPECT_THROW(reference_qp(parts, {0, 0}, w), UsageError);
  std::vector<double> short_w(model.dimension() - 1);
  EXPECT_THROW(reference_qp(parts, {kLambda}, short_w), UsageError);
}

}  // namespace
}  // namespace trellis::testing::reference_qp_test
