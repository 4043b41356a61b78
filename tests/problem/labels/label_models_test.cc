// The models of label sets in both directions: sets of instances, and sets of labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/problem/labels/label_problems.h"
#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/problem/feature_block.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/labels/label_set_model.h"
#include "trellis/problem/labels/reverse_label_model.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis::testing {
namespace {

using Kind = SetMeasure::Kind;

constexpr Index kInstances = 7, kWidth = 4, kLabels = 5;

const std::vector<SetMeasure>& measures() {
  static const std::vector<SetMeasure> all = {{Kind::kFBeta, 1}, {Kind::kFBeta, 0.2},
                                              {Kind::kFBeta, 3}, {Kind::kPrecision},
                                              {Kind::kRecall},   {Kind::kHamming}};
  return all;
}

// Rows, and the sets of a model over them.
struct Data {
  Data(bool dense, Index count, Index num_items, std::uint64_t seed)
      : random(seed),
        rows(random_rows(kInstances, kWidth, dense, random)),
        lists(random_lists(count, num_items, random)) {}

  Random random;
  FeatureRows rows;
  ItemLists lists;
};

struct Reverse : Data {
  Reverse(bool dense, const SetMeasure& measure, std::uint64_t seed)
      : Data(dense, kLabels, kInstances, seed), model(rows, views(lists), measure) {}
  ReverseLabelModel model;
};

struct Forward : Data {
  Forward(bool dense, const SetMeasure& measure, std::uint64_t seed)
      : Data(dense, kInstances, kLabels, seed), model(rows, kLabels, views(lists), measure) {}
  LabelSetModel model;
};

// Scores by the definition of each direction.
double feature(const FeatureRows& rows, Index r, Index k) {
  if (rows.is_dense()) return rows.dense_row(r)[k];
  const auto ids = rows.ids(r);
  const auto at = std::find(ids.begin(), ids.end(), k);
  return at == ids.end() ? 0 : rows.values(r)[static_cast<Index>(at - ids.begin())];
}
double score_of(const Reverse& data, Index n, Index v, const std::vector<double>& w) {
  double sum = 0;
  for (Index k = 0; k < kWidth; ++k) sum += w[n * kWidth + k] * feature(data.rows, v, k);
  return sum;
}
double score_of(const Forward& data, Index i, Index v, const std::vector<double>& w) {
  double sum = 0;
  for (Index k = 0; k < kWidth; ++k) sum += w[k * kLabels + v] * feature(data.rows, i, k);
  return sum;
}

template <class Direction>
class BothDirections : public ::testing::Test {};
using Directions = ::testing::Types<Reverse, Forward>;
TYPED_TEST_SUITE(BothDirections, Directions);

TYPED_TEST(BothDirections, ScoresFollowTheDefinition) {
  for (const bool dense : {true, false}) {
    TypeParam data(dense, {}, 1);
    const auto w = random_weights(data.model.dimension(), 1, data.random);
    for (Index i = 0; i < data.model.num_examples(); ++i) {
      std::vector<double> s(data.model.structure(i).num_parts());
      data.model.scores(i, w, s);
      for (Index v = 0; v < s.size(); ++v) EXPECT_NEAR(s[v], score_of(data, i, v, w), 1e-12);
    }
  }
}

TYPED_TEST(BothDirections, ScoresAndFeaturesAreTransposes) {
  for (const bool dense : {true, false}) {
    TypeParam data(dense, {}, 2);
    typename decltype(data.model)::Workspace workspace;
    for (Index i = 0; i < data.model.num_examples(); ++i) {
      const auto w = random_weights(data.model.dimension(), 1, data.random);
      std::vector<double> s(data.model.structure(i).num_parts()), z(s.size());
      for (double& part : z) part = data.random.below(2) == 0 ? 0 : data.random.normal();
      std::vector<double> gradient(w.size(), 0.0);
      data.model.scores(i, w, s);
      data.model.add_features(i, z, 3, gradient);
      double by_scores = 0, by_features = 0;
      for (Index p = 0; p < s.size(); ++p) by_scores += 3 * s[p] * z[p];
      for (Index j = 0; j < w.size(); ++j) by_features += w[j] * gradient[j];
      EXPECT_NEAR(by_scores, by_features, 1e-12);
      SparseVector slope;
      data.model.features(i, z, 3, workspace, slope);
      std::vector<double> filled(w.size(), 0.0);
      slope.add_to(filled, 1);
      EXPECT_EQ(filled, gradient);
    }
  }
}

// L_i(w) = max over all 2^V sets of s·(z(y) − z(y_i)) + γ Δ(y, y_i).
template <class Direction>
double enumerate_loss(const Direction& data, Index i, const std::vector<double>& w, double gamma) {
  const Index size = data.model.structure(i).num_parts();
  double best = 0, gold = 0;
  for (const std::uint32_t v : data.lists[i]) gold += score_of(data, i, v, w);
  for (Index set = 0; set < Index{1} << size; ++set) {
    double sum = 0;
    SetCounts counts{0, 0, data.lists[i].size(), size};
    for (Index v = 0; v < size; ++v) {
      if ((set >> v & 1) == 0) continue;
      sum += score_of(data, i, v, w);
      ++counts.predicted;
      counts.hits += std::count(data.lists[i].begin(), data.lists[i].end(), v) > 0 ? 1u : 0u;
    }
    best = std::max(best, sum - gold + gamma * data.model.measure().loss(counts));
  }
  return best;
}

TYPED_TEST(BothDirections, LossesEqualEnumeration) {
  std::uint64_t seed = 10;
  for (const SetMeasure& measure : measures()) {
    for (const double gamma : {0.0, 1.0, 5.0}) {
      ++seed;
      TypeParam data(seed % 2 == 0, measure, seed);
      const HingeProblem problem(data.model, gamma);
      for (const double size : {0.0, 0.05, 1.0}) {
        const auto w = random_weights(problem.dimension(), size, data.random);
        for (Index i = 0; i < problem.num_examples(); ++i) {
          EXPECT_NEAR(value_at(problem, i, w), enumerate_loss(data, i, w, gamma), 1e-12);
        }
      }
    }
  }
}

TYPED_TEST(BothDirections, HingesKeepTheirPromisesForEveryMeasure) {
  for (const SetMeasure& measure : measures()) {
    for (const bool dense : {true, false}) {
      const TypeParam data(dense, measure, 50);
      const HingeProblem problem(data.model);
      expect_touching(problem, 51);
      expect_minorant(problem, 52);
    }
  }
}

TYPED_TEST(BothDirections, SetsThatAreNotAscendingOrReachBeyondAreRefused) {
  const Data data(true, 1, 1, 3);
  const auto build = [&](std::vector<std::uint32_t> first) {
    ItemLists lists(kInstances);
    lists[0] = std::move(first);
    if constexpr (std::is_same_v<TypeParam, Reverse>) {
      const ReverseLabelModel model(data.rows, views(lists));
    } else {
      const LabelSetModel model(data.rows, kInstances, views(lists));
    }
  };
  EXPECT_NO_THROW(build({0, 6}));
  EXPECT_THROW(build({0, 7}), UsageError);
  EXPECT_THROW(build({3, 2}), UsageError);
  EXPECT_THROW(build({3, 3}), UsageError);
}

TEST(ReverseLabelModel, OneLabelAloneIsItsBlockOfAll) {
  for (const bool dense : {true, false}) {
    Reverse all(dense, {Kind::kFBeta, 1}, 4);
    const HingeProblem joint(all.model);
    const auto w = random_weights(joint.dimension(), 0.3, all.random);
    for (Index n = 0; n < kLabels; ++n) {
      const ReverseLabelModel alone(all.rows, {all.lists[n]}, {Kind::kFBeta, 1});
      const HingeProblem problem(alone);
      ASSERT_EQ(problem.num_examples(), 1u);
      ASSERT_EQ(problem.dimension(), kWidth);
      const std::vector<double> block(w.begin() + static_cast<std::ptrdiff_t>(n * kWidth),
                                      w.begin() + static_cast<std::ptrdiff_t>((n + 1) * kWidth));
      EXPECT_EQ(value_at(problem, 0, block), value_at(joint, n, w));
    }
  }
}

TEST(ReverseLabelModel, EveryAlgorithmGivesTheSameLosses) {
  Reverse data(false, {Kind::kFBeta, 2}, 5);
  const auto w = random_weights(data.model.dimension(), 0.2, data.random);
  for (const ArgmaxAlgorithm algorithm : {ArgmaxAlgorithm::kNaive, ArgmaxAlgorithm::kBounded}) {
    const ReverseLabelModel other(data.rows, views(data.lists), {Kind::kFBeta, 2}, algorithm);
    for (Index n = 0; n < kLabels; ++n) {
      EXPECT_NEAR(value_at(HingeProblem(other), n, w), value_at(HingeProblem(data.model), n, w),
                  1e-14);
    }
  }
}

static_assert(!PartModel<LabelSetModel>, "only Hamming is linear in the labels");

TEST(HammingLabelModel, LogisticRelevanceIsSmooth) {
  for (const bool dense : {true, false}) {
    const Forward data(dense, {Kind::kFBeta, 1}, 6);
    const HammingLabelModel model(data.rows, kLabels, views(data.lists));
    const SmoothProblem problem(model);
    expect_touching(problem, 7);
    expect_gradient(problem, 8);
    expect_minorant(problem, 9);
  }
}

TEST(HammingLabelModel, LinearCostsAreThoseOfTheMeasure) {
  const Forward data(true, {Kind::kHamming}, 7);
  const HammingLabelModel model(data.rows, kLabels, views(data.lists));
  const SmoothProblem margin(model, 1, 1);
  expect_gradient(margin, 8);
  // As β grows the smooth loss becomes the hinge.
  const SmoothProblem steep(model, 1e4, 1);
  const HingeProblem hinge(data.model);
  const KBestProblem ranked(model);
  Random random(9);
  const auto w = random_weights(hinge.dimension(), 1, random);
  for (Index i = 0; i < hinge.num_examples(); ++i) {
    EXPECT_NEAR(value_at(steep, i, w), value_at(hinge, i, w), 1e-3);
    EXPECT_NEAR(value_at(ranked, i, w), value_at(hinge, i, w), 1e-12);
  }
}

TEST(LabelSetModel, WeightsAreLaidOutAsAFeatureBlock) {
  Forward data(false, {}, 8);
  const FeatureBlock block{data.rows, 0, kLabels, 0, 1};
  const auto w = random_weights(data.model.dimension(), 1, data.random);
  std::vector<double> all(kInstances * kLabels, 0.0), s(kLabels);
  block.add_scores(w, all);
  for (Index i = 0; i < kInstances; ++i) {
    data.model.scores(i, w, s);
    for (Index v = 0; v < kLabels; ++v) EXPECT_NEAR(s[v], all[i * kLabels + v], 1e-12);
  }
}

TEST(LabelSetModel, SetsAndRowsMustBeAsMany) {
  const Data data(true, 1, 1, 3);
  const ItemLists lists(kInstances - 1);
  EXPECT_THROW(LabelSetModel(data.rows, 3, views(lists)), UsageError);
}

}  // namespace
}  // namespace trellis::testing
