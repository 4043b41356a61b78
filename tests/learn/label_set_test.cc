// Learners on label sets, against the optimum over all 2^V cuts of each label at once.
#include <gtest/gtest.h>

#include <vector>

#include "tests/problem/labels/label_problems.h"
#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/bundle.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/structure/sets/label_set.h"

namespace trellis::testing::label_set_test {
namespace {

using Kind = SetMeasure::Kind;
constexpr SetMeasure kMeasures[] = {
    {Kind::kFBeta, 1}, {Kind::kFBeta, 0.3}, {Kind::kPrecision}, {Kind::kRecall}, {Kind::kHamming}};
constexpr double kLambda = 0.02;

// min λ/2 ‖θ‖² + L_n(θ), with every set's cut in one quadratic program.
double optimum_by_enumeration(const ReverseLabelModel& model, Index n, double lambda) {
  const LabelSet structure = model.structure(n);
  const Index size = structure.num_parts(), width = model.dimension() / model.num_examples();
  Bundle bundle(width, lambda, {}, 1);
  std::vector<double> z(size);
  for (Index set = 0; set < Index{1} << size; ++set) {
    SetCounts counts{0, 0, 0, size};
    for (Index v = 0; v < size; ++v) {
      const Index chosen = set >> v & 1, truth = model.gold(n)[v] != 0 ? 1 : 0;
      counts.predicted += chosen;
      counts.truth += truth;
      counts.hits += chosen & truth;
      z[v] = static_cast<double>(chosen) - static_cast<double>(truth);
    }
    std::vector<double> slope(model.dimension(), 0.0);
    model.add_features(n, z, 1, slope);
    bundle.add(std::span(slope).subspan(n * width, width), model.measure().loss(counts));
  }
  bundle.solve();
  return bundle.bound();
}

LearnSummary by_bmrm(const ConvexOracle& oracle, double lambda) {
  BmrmOptions options;
  options.lambda = lambda;
  options.max_iterations = 3000;
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-7;
  std::vector<double> w(oracle.dimension(), 0.0);
  return bmrm(oracle, options, w, control);
}

LearnSummary by_bcfw(const ConvexOracle& oracle, double lambda) {
  BcfwOptions options;
  options.lambda = lambda;
  options.max_epochs = 5000;
  LearnControl control;
  control.certify = true;
  control.gap_tolerance = 1e-7;
  std::vector<double> w(oracle.dimension(), 0.0);
  return bcfw(oracle, options, w, control);
}

TEST(ReverseLabels, BundleAndFrankWolfeReachTheOptimumOfAllCuts) {
  std::uint64_t seed = 1;
  for (const SetMeasure& measure : kMeasures) {
    Random random(++seed);
    const FeatureRows rows = random_rows(6, 4, seed % 2 == 0, random);
    const ItemLists lists = random_lists(5, 6, random);
    const ReverseLabelModel model(rows, views(lists), measure);
    const HingeProblem problem(model);
    double optimum = 0;
    for (Index n = 0; n < 5; ++n) optimum += optimum_by_enumeration(model, n, 5 * kLambda) / 5;
    for (const LearnSummary& summary : {by_bmrm(problem, kLambda), by_bcfw(problem, kLambda)}) {
      EXPECT_LE(summary.gap(), 1e-6);
      EXPECT_NEAR(summary.objective, optimum, 1e-6);
      EXPECT_LE(summary.bound, optimum + 1e-9);
    }
  }
}

TEST(ReverseLabels, ALabelAloneReachesItsShareOfTheOptimum) {
  Random random(9);
  const FeatureRows rows = random_rows(6, 4, true, random);
  const ItemLists lists = random_lists(4, 6, random);
  const ReverseLabelModel model(rows, views(lists));
  for (Index n = 0; n < 4; ++n) {
    const ReverseLabelModel alone(rows, {lists[n]});
    const LearnSummary summary = by_bmrm(HingeProblem(alone), kLambda);
    EXPECT_NEAR(summary.objective, optimum_by_enumeration(model, n, kLambda), 1e-6);
  }
}

TEST(LabelSets, BundleAndFrankWolfeAgreeInTheForwardDirection) {
  std::uint64_t seed = 20;
  for (const SetMeasure& measure : kMeasures) {
    Random random(++seed);
    const FeatureRows rows = random_rows(12, 3, seed % 2 == 0, random);
    const ItemLists lists = random_lists(12, 4, random);
    const LabelSetModel model(rows, 4, views(lists), measure);
    const HingeProblem problem(model);
    const LearnSummary bundle = by_bmrm(problem, kLambda), blocks = by_bcfw(problem, kLambda);
    EXPECT_LE(bundle.gap(), 1e-6);
    EXPECT_LE(blocks.gap(), 1e-6);
    EXPECT_NEAR(bundle.objective, blocks.objective, 1e-6);
  }
}

}  // namespace
}  // namespace trellis::testing::label_set_test
