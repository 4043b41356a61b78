#include "trellis/topics/disclda/transformation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/topics/disclda/disclda_enumeration.h"
#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

TEST(Transformation, BlocksAreTheThesis) {
  const Transformation blocks = Transformation::blocks(3, 2, 1);
  EXPECT_EQ(blocks.num_topics(), 7U);
  EXPECT_EQ(blocks.num_components(), 3U);
  for (Index y = 0; y < 3; ++y) {
    const std::vector<std::uint32_t> own = {static_cast<std::uint32_t>(2 * y),
                                            static_cast<std::uint32_t>(2 * y + 1), 6};
    EXPECT_EQ(std::vector(blocks.topics(y).begin(), blocks.topics(y).end()), own);
    for (Index l = 0; l < 3; ++l) {
      ASSERT_EQ(blocks.column(y, l).size(), 1U);
      EXPECT_EQ(blocks.column(y, l)[0].topic, own[l]);
      EXPECT_EQ(blocks.column(y, l)[0].share, 1);
      ASSERT_EQ(blocks.row(y, l).size(), 1U);
      EXPECT_EQ(blocks.row(y, l)[0].component, l);
    }
  }
  EXPECT_EQ(blocks.runs(0).size(), 2U);  // topics 0, 1 and 6
  EXPECT_EQ(blocks.runs(2).size(), 2U);  // 4, 5 and 6, which others have too
}

TEST(Transformation, RowsColumnsAndProductsAgreeWithShares) {
  Random random(3);
  std::vector<double> shares = random_shares(2 * 4, 5, random);
  shares[3] += shares[2];
  shares[2] = 0;  // one entry that is not there
  const Transformation transformation(2, 5, 4, shares);
  EXPECT_EQ(transformation.shares(), shares);
  std::vector<double> x = {0.5, 2, 1, 3}, out(5), back(4), expected(5);
  for (Index y = 0; y < 2; ++y) {
    std::fill(expected.begin(), expected.end(), 0.0);
    Index entries = 0;
    for (Index place = 0; place < transformation.topics(y).size(); ++place) {
      for (const auto& entry : transformation.row(y, place)) {
        const Index k = transformation.topics(y)[place];
        EXPECT_EQ(entry.share, shares[(y * 4 + entry.component) * 5 + k]);
        expected[k] += entry.share * x[entry.component];
        ++entries;
      }
    }
    EXPECT_EQ(entries, y == 0 ? 19U : 20U);
    transformation.apply(y, x, out);
    for (Index k = 0; k < 5; ++k) EXPECT_NEAR(out[k], expected[k], 1e-14);
    transformation.apply_transposed(y, out, back);
    double left = 0, right = 0;  // ⟨T x, T x⟩ = ⟨x, Tᵀ T x⟩
    for (Index k = 0; k < 5; ++k) left += out[k] * out[k];
    for (Index l = 0; l < 4; ++l) right += x[l] * back[l];
    EXPECT_NEAR(left, right, 1e-12);
  }
}

TEST(Transformation, RefusesWhatIsNoStochasticMatrix) {
  const std::vector<double> good = {0.5, 0.5};
  EXPECT_NO_THROW(Transformation(1, 2, 1, good));
  EXPECT_THROW(Transformation(1, 2, 2, good), UsageError);
  EXPECT_THROW(Transformation(0, 2, 1, {}), UsageError);
  EXPECT_THROW(Transformation(1, 2, 1, std::vector{0.5, 0.6}), UsageError);
  EXPECT_THROW(Transformation(1, 2, 1, std::vector{-0.5, 1.5}), UsageError);
  EXPECT_THROW(Transformation(1, 2, 1, std::vector{0.5, std::nan("")}), UsageError);
  EXPECT_THROW(Transformation::blocks(2, 0, 0), UsageError);
  EXPECT_THROW(Transformation::blocks(0, 1, 1), UsageError);
  EXPECT_THROW(Transformation::blocks(60000, 60000, 1), UsageError);
}

TEST(SoftmaxTransformation, StartsFromSmoothedBlocks) {
  const auto smoothed = SoftmaxTransformation::smoothed_blocks(2, 1, 1);
  const std::vector<double> shares = smoothed.transformation().shares();
  const double own = std::exp(1.0), other = std::exp(-2.0);
  EXPECT_NEAR(shares[0], own / (own + 2 * other), 1e-14);  // class 0, component 0: topic 0
  EXPECT_NEAR(shares[1], other / (own + 2 * other), 1e-14);
  EXPECT_NEAR(shares[5], own / (own + 2 * other), 1e-14);  // component 1: the shared topic 2
  EXPECT_NEAR(shares[7], own / (own + 2 * other), 1e-14);  // class 1, component 0: topic 1
}

TEST(SoftmaxTransformation, ChainRuleHasTheCrossTerms) {
  Random random(5);
  std::vector<double> t(2 * 3 * 4), a(t.size());
  for (double& value : t) value = 2 * random.normal();
  for (double& value : a) value = random.normal();
  // f(T) = Σ a_i T_i²
  const auto value = [&](const std::vector<double>& parameters) {
    double f = 0;
    const auto shares = SoftmaxTransformation(2, 4, 3, parameters).transformation().shares();
    for (Index i = 0; i < shares.size(); ++i) f += a[i] * shares[i] * shares[i];
    return f;
  };
  const SoftmaxTransformation transformation(2, 4, 3, t);
  std::vector<double> gradient = transformation.transformation().shares();
  for (Index i = 0; i < gradient.size(); ++i) gradient[i] *= 2 * a[i];
  transformation.to_parameters(gradient);
  for (Index i = 0; i < t.size(); ++i) {
    std::vector<double> up = t, down = t;
    up[i] += 1e-5;
    down[i] -= 1e-5;
    EXPECT_NEAR(gradient[i], (value(up) - value(down)) / 2e-5, 1e-8);
  }
}

TEST(SoftmaxTransformation, RefusesParametersThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(SoftmaxTransformation(1, 2, 1, {0, infinity}), UsageError);
  EXPECT_THROW(SoftmaxTransformation(1, 2, 1, {0}), UsageError);
  SoftmaxTransformation transformation(1, 2, 1, {0, 1});
  EXPECT_THROW(transformation.move(infinity, std::vector{1.0, 1.0}), UsageError);
  transformation.move(2, std::vector{1.0, -1.0});
  EXPECT_EQ(transformation.parameters()[0], 2);
  EXPECT_EQ(transformation.parameters()[1], -1);
}

}  // namespace
}  // namespace trellis::topics
