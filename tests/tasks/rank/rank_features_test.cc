// What a ranker sees of a document.
#include "trellis/tasks/rank/rank_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/tasks/rank/small_queries.h"
#include "trellis/base/error.h"

namespace trellis::rank {
namespace {

constexpr Normalization kAll[] = {Normalization::kNone, Normalization::kScale,
                                  Normalization::kMinmax, Normalization::kZscore};

std::vector<double> dense_row(const FeatureRows& rows, Index r) {
  std::vector<double> row(rows.width(), 0.0);
  if (rows.is_dense()) {
    for (Index k = 0; k < row.size(); ++k) row[k] = rows.dense_row(r)[k];
  } else {
    for (Index k = 0; k < rows.ids(r).size(); ++k) row[rows.ids(r)[k]] = rows.values(r)[k];
  }
  return row;
}

// Feature `index` of document d, 0 where it is not mentioned.
double raw(const Query& query, Index d, std::uint32_t index) {
  for (const IndexedValue& value : query.document(d)) {
    if (value.index == index) return value.value;
  }
  return 0;
}

// t as its definition has it, over all documents of the query.
double placed(const Query& query, Index d, std::uint32_t index, Normalization normalization) {
  const auto n = static_cast<double>(query.num_documents());
  double low = raw(query, 0, index), high = low, mean = 0, squares = 0;
  for (Index e = 0; e < query.num_documents(); ++e) {
    low = std::min(low, raw(query, e, index));
    high = std::max(high, raw(query, e, index));
    mean += raw(query, e, index) / n;
  }
  for (Index e = 0; e < query.num_documents(); ++e) {
    squares += std::pow(raw(query, e, index) - mean, 2) / n;
  }
  const double x = raw(query, d, index);
  if (normalization == Normalization::kMinmax) return high > low ? (x - low) / (high - low) : 0;
  if (normalization == Normalization::kZscore)
    return high > low ? (x - mean) / std::sqrt(squares) : 0;
  return x;
}

TEST(RankFeatures, AreTheDefinitionUpToAConstantPerQuery) {
  const std::vector<Query> queries = testing::random_queries(5, 9, 1);
  for (const Normalization normalization : kAll) {
    const RankFeatures features = RankFeatures::learn(queries, normalization, {}, 1);
    ASSERT_EQ(features.indices, (std::vector<std::uint32_t>{7, 8, 30}));
    const FeatureRows rows = features.rows(queries);
    for (Index q = 0; q < queries.size(); ++q) {
      for (Index k = 0; k < 3; ++k) {
        const double scale = normalization == Normalization::kScale ? features.scales[k] : 1;
        for (Index d = 1; d < 9; ++d) {
          const double truth = scale * (placed(queries[q], d, features.indices[k], normalization) -
                                        placed(queries[q], 0, features.indices[k], normalization));
          EXPECT_NEAR(dense_row(rows, 9 * q + d)[k] - dense_row(rows, 9 * q)[k], truth, 1e-5);
        }
      }
    }
  }
}

TEST(RankFeatures, ScaleIsTheSpreadWithinQueries) {
  const std::vector<Query> queries = testing::random_queries(6, 7, 2);
  const RankFeatures features = RankFeatures::learn(queries, Normalization::kScale, {}, 1);
  for (Index k = 0; k < 3; ++k) {
    double squares = 0;
    for (const Query& query : queries) {
      double mean = 0;
      for (Index d = 0; d < 7; ++d) mean += raw(query, d, features.indices[k]) / 7;
      for (Index d = 0; d < 7; ++d)
        squares += std::pow(raw(query, d, features.indices[k]) - mean, 2);
    }
    EXPECT_NEAR(features.scales[k], 1 / std::sqrt(squares / 42), 1e-9);
  }
}

TEST(RankFeatures, ConstantFeaturesSayNothing) {
  Query query;
  for (int d = 0; d < 3; ++d)
    testing::add_document(query, 0, {{1, 0.1F}, {2, static_cast<float>(d)}});
  for (const Normalization normalization : {Normalization::kMinmax, Normalization::kZscore}) {
    const RankFeatures features = RankFeatures::learn({&query, 1}, normalization, {}, 1);
    const FeatureRows rows = features.rows({&query, 1});
    for (Index d = 0; d < 3; ++d) EXPECT_EQ(dense_row(rows, d)[0], 0);
  }
}

// Of a piecewise linear function with the model's knots: hats reproduce it.
TEST(RankFeatures, HatsInterpolateBetweenKnots) {
  const std::vector<Query> queries = testing::random_queries(8, 12, 3);
  for (const Normalization normalization : kAll) {
    const RankFeatures features =
        RankFeatures::learn(queries, normalization, Expansion::parse("binned:5"), 1);
    ASSERT_EQ(features.dimension(), 3 + features.knots.size());
    const FeatureRows rows = features.rows(queries);
    const Index begin = features.knot_begin[0], end = features.knot_begin[1];
    ASSERT_GT(end, begin + 2);
    // The identity between the outer knots of the first feature.
    std::vector<double> w(features.dimension(), 0.0);
    for (Index b = begin; b < end; ++b) w[3 + b] = features.knots[b];
    const auto value = [&](Index r) {
      double sum = 0;
      const auto row = dense_row(rows, r);
      for (Index k = 0; k < w.size(); ++k) sum += w[k] * row[k];
      return sum;
    };
    const double scale = normalization == Normalization::kScale ? features.scales[0] : 1;
    for (Index q = 0; q < queries.size(); ++q) {
      for (Index d = 1; d < 12; ++d) {
        const double truth = scale * (placed(queries[q], d, 7, normalization) -
                                      placed(queries[q], 0, 7, normalization));
        EXPECT_NEAR(value(12 * q + d) - value(12 * q), truth, 1e-4);
      }
    }
  }
}

// The inner products of differences are those of a Gaussian kernel, nearly.
TEST(RankFeatures, RandomFeaturesApproximateAGaussianKernel) {
  const std::vector<Query> queries = testing::random_queries(4, 6, 4);
  const RankFeatures features =
      RankFeatures::learn(queries, Normalization::kZscore, Expansion::parse("random:20000"), 5);
  const FeatureRows rows = features.rows(queries);
  double distances = 0;
  for (Index q = 0; q < 4; ++q) {
    for (Index a = 0; a < 6; ++a) {
      for (Index b = 0; b < 6; ++b) {
        for (Index k = 0; k < 3; ++k) {
          distances += std::pow(dense_row(rows, 6 * q + a)[k] - dense_row(rows, 6 * q + b)[k], 2);
        }
      }
    }
  }
  const double sigma_squared = distances / (4 * 36);
  for (Index a = 0; a < 6; ++a) {
    const auto x = dense_row(rows, a), y = dense_row(rows, 0);
    double square = 0, product = 0;
    for (Index k = 0; k < 3; ++k) square += (x[k] - y[k]) * (x[k] - y[k]);
    for (Index k = 3; k < x.size(); ++k) product += x[k] * y[k];
    EXPECT_NEAR(product, std::exp(-square / (2 * sigma_squared)), 0.03);
  }
}

TEST(RankFeatures, UnknownFeaturesAreLeftOut) {
  const std::vector<Query> queries = testing::random_queries(2, 5, 6);
  const RankFeatures features = RankFeatures::learn(queries, Normalization::kNone, {}, 1);
  Query other;
  testing::add_document(other, 0, {{3, 1.0F}, {8, 2.0F}, {99, 5.0F}});
  EXPECT_EQ(dense_row(features.rows({&other, 1}), 0), (std::vector<double>{0, 2, 0}));
}

TEST(RankFeatures, HugeValuesStayFinite) {
  Query query;
  const float huge = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  testing::add_document(query, 0, {{1, huge}, {2, tiny}});
  testing::add_document(query, 1, {{1, -huge}});
  for (const Normalization normalization : kAll) {
    for (const char* expansion : {"none", "binned:3", "random:4"}) {
      const RankFeatures features =
          RankFeatures::learn({&query, 1}, normalization, Expansion::parse(expansion), 1);
      for (Index d = 0; d < 2; ++d) {
        for (const double x : dense_row(features.rows({&query, 1}), d))
          EXPECT_TRUE(std::isfinite(x));
      }
    }
  }
}

TEST(Expansion, KnowsItsNames) {
  EXPECT_EQ(Expansion::parse("binned:8").to_string(), "binned:8");
  EXPECT_EQ(Expansion::parse("none").to_string(), "none");
  EXPECT_EQ(Expansion::parse("trees").to_string(), "trees:100,8");
  EXPECT_EQ(Expansion::parse("trees:20").to_string(), "trees:20,8");
  EXPECT_EQ(Expansion::parse("trees:20,4").to_string(), "trees:20,4");
  for (const char* spec : {"", "binned", "binned:1", "random:0", "random:x", "random:99999999",
                           "x:3", "trees:", "trees:0", "trees:4,", "trees:4,1", "trees:4,9999",
                           "trees:4,8,2", "binned:4,8"}) {
    EXPECT_THROW(Expansion::parse(spec), UsageError) << spec;
  }
  EXPECT_THROW(parse_named<Normalization>("rank"), UsageError);
}

}  // namespace
}  // namespace trellis::rank
