// Rankings as matchings, against enumeration of all orders.
#include "trellis/problem/ranking_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/problem/oracle_conformance.h"
#include "trellis/base/error.h"
#include "trellis/problem/hinge_problem.h"
#include "trellis/problem/smooth_problem.h"

namespace trellis {
namespace {

constexpr Index kWidth = 5;
constexpr Index kDocuments = 12;

std::vector<double> log_discounts(Index count) {
  std::vector<double> d;
  for (Index j = 1; j <= count; ++j) d.push_back(1 / std::log2(1 + static_cast<double>(j)));
  return d;
}

FeatureRows random_rows(bool dense, Random& random) {
  std::vector<float> values;
  std::vector<std::uint32_t> begin = {0}, ids;
  for (Index r = 0; r < kDocuments; ++r) {
    for (std::uint32_t k = 0; k < kWidth; ++k) {
      if (!dense && random.uniform() < 0.5) continue;
      ids.push_back(k);
      values.push_back(static_cast<float>(random.normal()));
    }
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  if (dense) return FeatureRows::dense(kWidth, values);
  return FeatureRows::sparse(kWidth, begin, ids, values);
}

// Documents of grades 2, 1, 0 in turn.
std::vector<double> gains() {
  std::vector<double> gains;
  for (Index r = 0; r < kDocuments; ++r)
    gains.push_back(std::exp2(2 - static_cast<double>(r % 3)) - 1);
  return gains;
}

// Lists of one, three and five documents; the five have ties, whose positions share their c.
RankedLists lists() {
  RankedLists lists;
  const auto add = [&](std::vector<std::uint32_t> documents, std::uint32_t c) {
    lists.documents.insert(lists.documents.end(), documents.begin(), documents.end());
    lists.begin.push_back(lists.documents.size());
    lists.positions.push_back(c);
  };
  lists.c = {{0}, {2, 1, 0}, {3.5, 3.5, 2, 0.5, 0.5}};
  add({4}, 0);
  add({0, 1, 2}, 1);
  add({3, 7, 11}, 1);
  add({0, 3, 4, 5, 8}, 2);
  add({9, 6, 10, 2, 11}, 2);
  return lists;
}

double document_score(const FeatureRows& rows, Index r, const std::vector<double>& w) {
  double sum = 0;
  if (rows.is_dense()) {
    for (Index k = 0; k < kWidth; ++k) sum += rows.dense_row(r)[k] * w[k];
  } else {
    for (Index k = 0; k < rows.ids(r).size(); ++k) sum += rows.values(r)[k] * w[rows.ids(r)[k]];
  }
  return sum;
}

// What eqs. (5.1), (5.3) and (5.14) say of a list, order by order.
struct Enumerated {
  double log_loss = 0;
  double hinge = 0;
};
Enumerated enumerate(const FeatureRows& rows, std::span<const std::uint32_t> documents,
                     const std::vector<double>& c, const std::vector<double>& w) {
  const Index m = documents.size();
  const auto d = log_discounts(m);
  const auto g = gains();
  std::vector<Index> order(m);
  std::iota(order.begin(), order.end(), Index{0});
  const auto score = [&](const std::vector<Index>& y) {
    double sum = 0;
    for (Index j = 0; j < m; ++j) sum += c[j] * document_score(rows, documents[y[j]], w);
    return sum;
  };
  const auto dcg = [&](const std::vector<Index>& y) {
    double sum = 0;
    for (Index j = 0; j < m; ++j) sum += g[documents[y[j]]] * d[j];
    return sum;
  };
  const double gold = score(order);
  const double best = dcg(order);
  Enumerated result;
  double sum = 0;
  do {
    sum += std::exp(score(order) - gold);
    const double cost = best > 0 ? 1 - dcg(order) / best : 0;
    result.hinge = std::max(result.hinge, score(order) - gold + cost);
  } while (std::next_permutation(order.begin(), order.end()));
  result.log_loss = std::log(sum);
  return result;
}

class RankingModels : public ::testing::TestWithParam<bool> {
 protected:
  Random random_{GetParam() ? 1U : 2U};
  FeatureRows rows_ = random_rows(GetParam(), random_);
  RankingModel model_{rows_, lists(), gains(), log_discounts(5)};
};
INSTANTIATE_TEST_SUITE_P(DenseAndSparse, RankingModels, ::testing::Bool());

TEST_P(RankingModels, LossesAreThoseOfAllOrders) {
  const SmoothProblem<RankingModel> smooth(model_);
  const HingeProblem<RankingModel> hinge(model_);
  for (int trial = 0; trial < 20; ++trial) {
    const auto w = testing::random_weights(kWidth, 1, random_);
    for (Index i = 0; i < model_.num_examples(); ++i) {
      const Enumerated truth =
          enumerate(rows_, model_.lists()[i], model_.lists().c[model_.lists().positions[i]], w);
      EXPECT_NEAR(testing::value_at(smooth, i, w), truth.log_loss, 1e-10);
      EXPECT_NEAR(testing::value_at(hinge, i, w), truth.hinge, 1e-10);
    }
  }
}

TEST_P(RankingModels, MakeOraclesThatKeepTheirPromises) {
  const HingeProblem<RankingModel> hinge(model_);
  testing::expect_touching(hinge, 3);
  testing::expect_minorant(hinge, 4);
  const SmoothProblem<RankingModel> smooth(model_, 1, 0.5);
  testing::expect_touching(smooth, 5);
  testing::expect_minorant(smooth, 6);
  testing::expect_gradient(smooth, 7);
}

TEST_P(RankingModels, ScoresAndFeaturesAreTransposes) {
  RankingModel::Workspace workspace;
  for (Index i = 0; i < model_.num_examples(); ++i) {
    const Index parts = model_.structure(i).num_parts();
    const auto w = testing::random_weights(kWidth, 1, random_);
    std::vector<double> z = testing::random_weights(parts, 1, random_);
    std::vector<double> s(parts), gradient(kWidth, 0.0);
    model_.scores(i, w, s);
    model_.add_features(i, z, 3, gradient);
    double by_scores = 0, by_features = 0;
    for (Index p = 0; p < parts; ++p) by_scores += 3 * s[p] * z[p];
    for (Index k = 0; k < kWidth; ++k) by_features += w[k] * gradient[k];
    EXPECT_NEAR(by_scores, by_features, 1e-12);
    SparseVector slope;
    model_.features(i, z, 3, workspace, slope);
    std::vector<double> dense(kWidth, 0.0);
    slope.add_to(dense, 1);
    for (Index k = 0; k < kWidth; ++k) EXPECT_NEAR(dense[k], gradient[k], 1e-13);
  }
}

// Documents 0 and 3 share a grade, and so do 5 and 8.
TEST_P(RankingModels, LevelPositionsMakeTheOrderOfTiesIrrelevant) {
  RankedLists other = lists();
  std::swap(other.documents[7], other.documents[8]);
  std::swap(other.documents[10], other.documents[11]);
  ASSERT_EQ(other[3][0], 3U);
  const RankingModel swapped(rows_, other, gains(), log_discounts(5));
  const auto w = testing::random_weights(kWidth, 1, random_);
  EXPECT_NEAR(testing::value_at(SmoothProblem<RankingModel>(model_), 3, w),
              testing::value_at(SmoothProblem<RankingModel>(swapped), 3, w), 1e-12);
  EXPECT_NEAR(testing::value_at(HingeProblem<RankingModel>(model_), 3, w),
              testing::value_at(HingeProblem<RankingModel>(swapped), 3, w), 1e-12);
}

TEST(RankingModel, RefusesListsThatDoNotFit) {
  Random random(9);
  const FeatureRows rows = random_rows(true, random);
  const auto with = [&](auto change) {
    RankedLists changed = lists();
    change(changed);
    return RankingModel(rows, changed, gains(), log_discounts(5));
  };
  EXPECT_NO_THROW(with([](RankedLists&) {}));
  EXPECT_THROW(with([](RankedLists& l) { l.c[1] = {0, 1, 2}; }), UsageError);
  EXPECT_THROW(with([](RankedLists& l) { l.positions[1] = 2; }), UsageError);
  EXPECT_THROW(with([](RankedLists& l) { l.positions[1] = 7; }), UsageError);
  EXPECT_THROW(with([](RankedLists& l) { std::swap(l.documents[1], l.documents[3]); }), UsageError);
  EXPECT_THROW(with([](RankedLists& l) { l.documents[2] = 99; }), UsageError);
  EXPECT_THROW(with([](RankedLists& l) { l.begin[1] = 0; }), UsageError);
  EXPECT_THROW(RankingModel(rows, lists(), {1, 2}, log_discounts(5)), UsageError);
  EXPECT_THROW(RankingModel(rows, lists(), gains(), log_discounts(4)), UsageError);
}

}  // namespace
}  // namespace trellis
