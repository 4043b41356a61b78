#include "trellis/problem/labels/pairwise_label_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

struct SmallData {
  FeatureRows rows;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> ids;
  Index num_labels = 0;

  LabelSetView sets() const { return {begin, ids}; }
};

// Labels follow two features, with noise; the first instance has none and the second all.
SmallData draw_data(Index instances, Index num_labels, bool dense, std::uint64_t seed) {
  Random random(seed);
  SmallData data;
  data.num_labels = num_labels;
  std::vector<float> values;
  std::vector<std::uint32_t> bounds = {0}, columns;
  for (Index i = 0; i < instances; ++i) {
    const double a = random.normal(), b = random.normal();
    for (std::uint32_t v = 0; v < num_labels; ++v) {
      const double inclined = (v % 2 == 0 ? a : b) + 0.7 * random.normal() - 0.3;
      if (i == 1 || (i != 0 && inclined > 0)) data.ids.push_back(v);
    }
    data.begin.push_back(data.ids.size());
    for (const double x : {a, b, 1.0}) values.push_back(static_cast<float>(x));
    for (const std::uint32_t k : {0U, 1U, 2U}) columns.push_back(k);
    bounds.push_back(static_cast<std::uint32_t>(columns.size()));
  }
  data.rows = dense ? FeatureRows::dense(3, values)
                    : FeatureRows::sparse(3, std::move(bounds), std::move(columns), values);
  return data;
}

// Pair weights must be ≥ 0.
testing::Restrict pairs_positive(const PairwiseLabelModel& model) {
  const Index first = model.first_pair_weight();
  return [first](std::vector<double>& w) {
    for (Index j = first; j < w.size(); ++j) w[j] = std::abs(w[j]);
  };
}

PairwiseLabelOptions exact_options(SetMeasure measure = {}) {
  PairwiseLabelOptions options;
  options.measure = measure;
  options.coupling_scale = 2;
  options.limits.work = 100000;
  options.limits.enumerated_labels = 2;
  return options;
}

TEST(FrequentLabelPairs, AreTheMostFrequentOnesListedByTheirLabels) {
  // 0 and 2 occur together three times, 1 and 2 twice, 0 and 1 once; 3 is alone.
  const std::vector<std::uint64_t> begin = {0, 2, 4, 7, 9, 10};
  const std::vector<std::uint32_t> ids = {0, 2, 0, 2, 0, 1, 2, 1, 2, 3};
  const LabelSetView sets{begin, ids};
  const LabelPairs half = frequent_label_pairs(sets, 4, 0.34);  // of 6: 2
  EXPECT_EQ(half.pairs, (std::vector<NodePair>{{0, 2}, {1, 2}}));
  EXPECT_EQ(half.frequency, (std::vector<double>{0.6, 0.4}));
  EXPECT_EQ(frequent_label_pairs(sets, 4, 1).pairs.size(), 3u);  // no pair that never occurs
  EXPECT_TRUE(frequent_label_pairs(sets, 4, 0).pairs.empty());
  EXPECT_THROW(frequent_label_pairs(sets, 3, 1), UsageError);
  EXPECT_THROW(frequent_label_pairs(sets, 4, 1.5), UsageError);
}

TEST(PairwiseLabelModel, ScoresAndFeaturesAreTransposes) {
  for (const bool dense : {true, false}) {
    const SmallData data = draw_data(8, 5, dense, 1);
    const PairwiseLabelModel model(data.rows, data.sets(), 5,
                                   frequent_label_pairs(data.sets(), 5, 0.6), exact_options());
    Random random(2);
    PairwiseLabelModel::Workspace workspace;
    for (Index i = 0; i < model.num_examples(); ++i) {
      const Index parts = model.structure(i).num_parts();
      std::vector<double> w(model.dimension()), z(parts), s(parts);
      std::vector<double> gradient(model.dimension(), 0.0), dense_slope(model.dimension(), 0.0);
      for (double& weight : w) weight = random.normal();
      for (double& part : z) part = random.below(3) == 0 ? random.normal() : 0;
      model.scores(i, w, s);
      model.add_features(i, z, 3, gradient);
      SparseVector slope;
      model.features(i, z, 3, workspace, slope);
      slope.add_to(dense_slope, 1);
      EXPECT_NEAR(3 * std::inner_product(s.begin(), s.end(), z.begin(), 0.0),
                  std::inner_product(w.begin(), w.end(), gradient.begin(), 0.0), 1e-10);
      for (Index d = 0; d < w.size(); ++d) EXPECT_NEAR(gradient[d], dense_slope[d], 1e-12);
    }
  }
}

// L_i(w) by all sets of labels.
double loss_by_enumeration(const PairwiseLabelModel& model, const SetMeasure& measure, Index i,
                           double gamma, const std::vector<double>& w) {
  const PairwiseLabelSet structure = model.structure(i);
  std::vector<double> s(structure.num_parts());
  model.scores(i, w, s);
  const auto& gold = model.gold(i);
  double best = 0;
  for (Index bits = 0; bits < Index{1} << gold.size(); ++bits) {
    PairwiseLabelSet::Output y(gold.size());
    SetCounts counts;
    counts.items = gold.size();
    for (Index v = 0; v < y.size(); ++v) {
      y[v] = static_cast<Label>(bits >> v & 1);
      counts.predicted += static_cast<Index>(y[v]);
      counts.truth += static_cast<Index>(gold[v]);
      counts.hits += static_cast<Index>(y[v] * gold[v]);
    }
    best = std::max(
        best, structure.score(s, y) - structure.score(s, gold) + gamma * measure.loss(counts));
  }
  return best;
}

TEST(PairwiseLabelModel, LossEqualsEnumerationForEachMeasure) {
  const SmallData data = draw_data(12, 6, true, 3);
  using Kind = SetMeasure::Kind;
  for (const SetMeasure measure :
       {SetMeasure{Kind::kFBeta, 1}, SetMeasure{Kind::kFBeta, 3}, SetMeasure{Kind::kPrecision},
        SetMeasure{Kind::kRecall}, SetMeasure{Kind::kHamming}}) {
    const PairwiseLabelModel model(data.rows, data.sets(), 6,
                                   frequent_label_pairs(data.sets(), 6, 0.8),
                                   exact_options(measure));
    for (const double gamma : {1.0, 0.3}) {
      const SearchProblem oracle(model, gamma);
      Random random(4);
      for (int trial = 0; trial < 6; ++trial) {
        const auto w =
            testing::random_weights(model.dimension(), 0.3 * trial, random, pairs_positive(model));
        for (Index i = 0; i < model.num_examples(); ++i) {
          EXPECT_NEAR(testing::value_at(oracle, i, w),
                      loss_by_enumeration(model, measure, i, gamma, w), 1e-9);
        }
      }
    }
  }
}

// By type its problem is one of a search that may miss, and nothing takes it for another.
template <class M>
concept MakesHinges = requires(const M& model) {
  HingeProblem<M>(model);
};
static_assert(!MakesHinges<PairwiseLabelModel> && SearchModel<PairwiseLabelModel>);
static_assert(!CostMaximizer<PairwiseLabelModel>);
static_assert(std::same_as<MarginProblem<PairwiseLabelModel>, SearchProblem<PairwiseLabelModel>>);
static_assert(!std::derived_from<SearchProblem<PairwiseLabelModel>, ConvexOracle>);

TEST(PairwiseLabelModel, ExactGeneratorTouchesWhereItsSearchEnds) {
  for (const bool dense : {true, false}) {
    const SmallData data = draw_data(10, 6, dense, 5);
    const PairwiseLabelModel model(data.rows, data.sets(), 6,
                                   frequent_label_pairs(data.sets(), 6, 0.5), exact_options());
    const SearchProblem oracle(model);
    testing::expect_touching(oracle, 6, pairs_positive(model));
    testing::expect_minorant(oracle, oracle, 7, pairs_positive(model));
    ASSERT_EQ(oracle.nonnegative().size(), 1u);
    EXPECT_EQ(oracle.nonnegative()[0].begin, 18u);
    EXPECT_EQ(oracle.nonnegative()[0].end, oracle.dimension());
  }
}

// Whatever the generator misses, its pieces lie below the true loss.
TEST(PairwiseLabelModel, CutsOfAlgorithm5LieBelowTheTrueLoss) {
  const SmallData data = draw_data(16, 7, true, 8);
  const LabelPairs pairs = frequent_label_pairs(data.sets(), 7, 1);
  PairwiseLabelOptions options = exact_options();
  const PairwiseLabelModel exact(data.rows, data.sets(), 7, pairs, options);
  options.generator = PairwiseGenerator::kAlgorithm5;
  const PairwiseLabelModel greedy(data.rows, data.sets(), 7, pairs, options);
  const SearchProblem truth(exact), oracle(greedy);
  testing::expect_touching(oracle, 9, pairs_positive(exact));
  Random random(10);
  const auto scratch = oracle.make_scratch();
  for (int trial = 0; trial < 8; ++trial) {
    const auto w = testing::random_weights(exact.dimension(), 0.4, random, pairs_positive(exact));
    for (Index i = 0; i < exact.num_examples(); ++i) {
      Cut cut;
      EXPECT_GE(oracle.evaluate(i, w, *scratch, cut), 0);
      for (int other = 0; other < 6; ++other) {
        const auto v =
            testing::random_weights(exact.dimension(), 0.4, random, pairs_positive(exact));
        EXPECT_LE(cut.value(v), testing::value_at(truth, i, v) + 1e-9);
      }
    }
  }
}

TEST(PairwiseLabelModel, LossesLieBetweenTheirBoundsWhateverTheGeneratorMisses) {
  const SmallData data = draw_data(16, 7, true, 8);
  const LabelPairs pairs = frequent_label_pairs(data.sets(), 7, 1);
  for (const auto generator : {PairwiseGenerator::kAlgorithm5, PairwiseGenerator::kExact}) {
    for (const Index work : {Index{0}, Index{2}, Index{100000}}) {
      PairwiseLabelOptions options = exact_options();
      options.generator = generator;
      options.limits.work = work;
      const PairwiseLabelModel model(data.rows, data.sets(), 7, pairs, options);
      const SearchProblem oracle(model);
      const auto loss = [&](Index i, const std::vector<double>& w) {
        return loss_by_enumeration(model, {}, i, 1, w);
      };
      const Index exact = testing::expect_enclosed(oracle, loss, 9, pairs_positive(model));
      const Index all = 5 * model.num_examples();
      if (generator == PairwiseGenerator::kAlgorithm5 || work == 0) {
        EXPECT_LT(exact, all) << work;
      } else if (work == 100000) {
        EXPECT_EQ(exact, all);
      }
    }
  }
}

TEST(PairwiseLabelModel, RiskBoundsEncloseTheRiskHoweverShortTheSearch) {
  const SmallData data = draw_data(40, 8, true, 11);
  const PairwiseLabelModel model(data.rows, data.sets(), 8, frequent_label_pairs(data.sets(), 8, 1),
                                 exact_options());
  Random random(12);
  for (int trial = 0; trial < 5; ++trial) {
    const auto w = testing::random_weights(model.dimension(), 0.2, random, pairs_positive(model));
    double risk = 0;
    for (Index i = 0; i < model.num_examples(); ++i) {
      risk += loss_by_enumeration(model, {}, i, 1, w) / 40;
    }
    for (const Index work : {Index{0}, Index{2}, Index{100000}}) {
      const RiskBounds bounds = model.risk_bounds(1, w, {work, 0}, 1);
      EXPECT_LE(bounds.value, risk + 1e-9);
      EXPECT_GE(bounds.upper, risk - 1e-9);
      const RiskBounds again = model.risk_bounds(1, w, {work, 0}, 3);
      EXPECT_EQ(bounds.value, again.value);
      EXPECT_EQ(bounds.upper, again.upper);
      if (work == 100000) {
        EXPECT_EQ(bounds.proven, 1);
        EXPECT_NEAR(bounds.upper, risk, 1e-9);
      }
    }
  }
}

TEST(PairwiseLabelModel, StatisticsCountWhatWasProven) {
  const SmallData data = draw_data(30, 8, true, 13);
  PairwiseLabelOptions options = exact_options();
  options.count_certified = true;
  PairwiseLabelModel model(data.rows, data.sets(), 8, frequent_label_pairs(data.sets(), 8, 1),
                           options);
  const SearchProblem oracle(model);
  Random random(14);
  for (int trial = 0; trial < 4; ++trial) {
    const auto w = testing::random_weights(model.dimension(), 0.2, random, pairs_positive(model));
    for (Index i = 0; i < model.num_examples(); ++i) testing::value_at(oracle, i, w);
  }
  const PairwiseStatistics all = model.statistics();
  EXPECT_EQ(all.calls, 120u);
  EXPECT_EQ(all.proven, 120u);
  EXPECT_EQ(all.remaining, 0);
  EXPECT_GE(all.cuts, all.calls);
  EXPECT_LE(all.certified + all.improved, all.calls);  // what is certified is not improved
  EXPECT_GT(all.certified, 0u);
  EXPECT_GT(all.improved, 0u);
  model.reset_statistics();
  EXPECT_EQ(model.statistics().calls, 0u);
}

TEST(PairwiseLabelModel, WhatDoesNotFitIsRefused) {
  const SmallData data = draw_data(5, 4, true, 15);
  const LabelPairs pairs = frequent_label_pairs(data.sets(), 4, 1);
  const FeatureRows fewer = FeatureRows::constant(4);
  EXPECT_THROW(PairwiseLabelModel(fewer, data.sets(), 4, pairs, {}), UsageError);
  EXPECT_THROW(PairwiseLabelModel(data.rows, data.sets(), 2, pairs, {}), UsageError);
  LabelPairs odd = pairs;
  odd.frequency.pop_back();
  EXPECT_THROW(PairwiseLabelModel(data.rows, data.sets(), 4, odd, {}), UsageError);
  PairwiseLabelOptions options;
  options.coupling_scale = -1;
  EXPECT_THROW(PairwiseLabelModel(data.rows, data.sets(), 4, pairs, options), UsageError);
  const PairwiseLabelModel model(data.rows, data.sets(), 4, pairs, {});
  const SearchProblem oracle(model);
  std::vector<double> w(model.dimension(), 0.0);
  w.back() = -1;
  EXPECT_THROW(testing::value_at(oracle, 0, w), UsageError);
}

}  // namespace
}  // namespace trellis
