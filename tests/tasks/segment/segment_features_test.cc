#include "trellis/tasks/segment/segment_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/formats/images/small_pictures.h"
#include "trellis/base/error.h"
#include "trellis/tasks/segment/figure_odds.h"
#include "trellis/tasks/segment/pixel_grid.h"

namespace trellis::segment {
namespace {

SegmentFeatures picture_features(std::span<const image::Raster> rasters,
                                 const PictureOptions& options, bool unary = false) {
  return SegmentFeatures::of_pictures(options,
                                      SegmentFeatures::learn_quantiles(rasters, options, 1), unary);
}

TEST(FeatureTables, RankCodesRiseFromTheLeastToTheGreatest) {
  std::vector<float> values;
  for (int k = 0; k <= 1000; ++k) values.push_back(static_cast<float>(k * k));
  const Quantiles quantiles = quantiles_of(values);
  EXPECT_EQ(rank_code(quantiles, -5), 0);
  EXPECT_EQ(rank_code(quantiles, 2e6F), 65535);
  EXPECT_NEAR(rank_code(quantiles, 250000), 65535 / 2, 100);  // the median
  for (Index k = 1; k < values.size(); ++k) {
    EXPECT_LE(rank_code(quantiles, values[k - 1]), rank_code(quantiles, values[k]));
  }
}

TEST(FeatureTables, ValuesThatAreAllTheSameHaveACode) {
  const Quantiles quantiles = quantiles_of({3, 3, 3});
  EXPECT_EQ(rank_code(quantiles, 2), 0);
  EXPECT_EQ(rank_code(quantiles, 3), 65535);
}

TEST(FeatureTables, EachTableSpreadsOneOverItsKnots) {
  Random random(1);
  const std::vector<image::Raster> rasters = {testing::random_raster(9, 8, 3, random)};
  const SegmentFeatures features = picture_features(rasters, {true, 1, 8});
  const SegmentExample example = features.picture("x", rasters[0]);
  const FeatureTables tables(true);
  // With all weights 1 a pixel's score is the number of tables: its features in each sum to 1.
  std::vector<double> s(example.num_nodes, 0.0);
  tables.add_scores(example.pixels, std::vector<double>(tables.num_weights(), 1.0), s);
  for (const double score : s) {
    EXPECT_NEAR(score, static_cast<double>(tables.tables().size()), 1e-9);
  }
}

TEST(FeatureTables, EveryWeightHasItsOwnName) {
  const FeatureTables tables(true);
  std::set<std::string> names;
  for (Index k = 0; k < tables.num_weights(); ++k) names.insert(tables.weight_name(k));
  EXPECT_EQ(names.size(), tables.num_weights());
  EXPECT_EQ(tables.weight_name(0), "intensity [0/11]");
}

// ⟨Fᵀw, z⟩ = ⟨w, F z⟩
TEST(SegmentFeatures, FeaturesAreTheTransposeOfScores) {
  Random random(2);
  for (const Index planes : {1, 3}) {
    const std::vector<image::Raster> rasters = {testing::random_raster(11, 7, planes, random)};
    for (const int connectivity : {4, 8}) {
      const SegmentFeatures features = picture_features(rasters, {planes == 3, 1, connectivity});
      const SegmentExample example = features.picture("x", rasters[0]);
      std::vector<double> w(features.dimension());
      std::vector<double> z(example.num_nodes + example.edges.size());
      for (double& value : w) value = random.normal();
      for (double& value : z) value = random.uniform() < 0.3 ? 0 : random.normal();
      std::vector<double> s(z.size());
      std::vector<double> gradient(w.size(), 0.0);
      features.scores(example, w, s);
      features.add_features(example, z, 2, gradient);
      double left = 0;
      double right = 0;
      for (Index p = 0; p < z.size(); ++p) left += s[p] * z[p];
      for (Index k = 0; k < w.size(); ++k) right += w[k] * gradient[k] / 2;
      EXPECT_NEAR(left, right, 1e-9 * (1 + std::abs(left)));
    }
  }
}

TEST(SegmentFeatures, EdgeFeaturesAreBetweenNothingAndTheBoundary) {
  Random random(3);
  const std::vector<image::Raster> rasters = {testing::random_raster(8, 6, 1, random)};
  const SegmentFeatures features = picture_features(rasters, {false, 1, 8});
  const SegmentExample example = features.picture("x", rasters[0]);
  EXPECT_EQ(example.edges.size(), 7U * 6 + 8 * 5 + 2 * 7 * 5);
  const Index width = features.num_edge_weights();
  for (Index e = 0; e < example.edges.size(); ++e) {
    const float boundary = example.edge_features[e * width];
    EXPECT_TRUE(boundary == 1.0F || boundary == std::sqrt(0.5F));
    for (Index k = 1; k < width; ++k) {
      EXPECT_GE(example.edge_features[e * width + k], 0.0F);
      EXPECT_LE(example.edge_features[e * width + k], boundary);
    }
  }
}

TEST(SegmentFeatures, OnePixelIsAPicture) {
  Random random(4);
  const std::vector<image::Raster> rasters = {testing::random_raster(1, 1, 1, random)};
  const SegmentFeatures features = picture_features(rasters, {false, 1, 8});
  const SegmentExample example = features.picture("dot", rasters[0]);
  EXPECT_EQ(example.num_nodes, 1U);
  EXPECT_TRUE(example.edges.empty());
}

TEST(SegmentFeatures, UnaryModelsHaveNoEdges) {
  Random random(5);
  const std::vector<image::Raster> rasters = {testing::random_raster(5, 4, 1, random)};
  const SegmentFeatures features = picture_features(rasters, {false, 1, 8}, true);
  EXPECT_EQ(features.num_edge_weights(), 0U);
  EXPECT_TRUE(features.picture("x", rasters[0]).edges.empty());
}

TEST(SegmentFeatures, GraphFeaturesAreStandardised) {
  GraphSet set = read_graphs(
      InputFile::from_bytes("graph a 2 1\n0 1 5\n1 3 5\n0 1 2\ngraph b 2 1\n0 5 5\n1 7 5\n0 1 3\n",
                            "g.txt"),
      {});
  const SegmentFeatures features = SegmentFeatures::learn_graphs(set, false);
  for (LabelledGraph& graph : set.graphs) features.prepare(graph, "g.txt");
  const float unit = std::sqrt(5.0F);
  EXPECT_EQ(features.num_node_weights(), 3U);
  EXPECT_EQ(features.num_edge_weights(), 2U);
  EXPECT_FLOAT_EQ(set.graphs[0].node_features[0], -3 / unit);
  EXPECT_EQ(set.graphs[0].node_features[1], 0.0F);  // the same everywhere
  EXPECT_EQ(set.graphs[0].node_features[2], 1.0F);  // the bias
  EXPECT_EQ(features.weight_name(0), "feature 1");
  EXPECT_EQ(features.weight_name(2), "bias");
  EXPECT_EQ(features.weight_name(3), "boundary");
  EXPECT_EQ(features.weight_name(4), "boundary, edge feature 1");
}

TEST(SegmentFeatures, RefuseGraphsWithOtherFeatures) {
  GraphSet set = read_graphs(InputFile::from_bytes("graph a 1 0\n0 1 5\n", "g.txt"), {});
  GraphSet other = read_graphs(InputFile::from_bytes("graph a 1 0\n0 1\n", "h.txt"), {});
  const SegmentFeatures features = SegmentFeatures::learn_graphs(set, false);
  EXPECT_THROW(features.prepare(other.graphs[0], "h.txt"), InputError);
}

TEST(SegmentFeatures, RefuseOptionsThatDoNotExist) {
  const std::vector<image::Raster> none;
  EXPECT_THROW(SegmentFeatures::learn_quantiles(none, {false, 0, 8}, 1), UsageError);
  EXPECT_THROW(SegmentFeatures::learn_quantiles(none, {false, 1.5, 8}, 1), UsageError);
  EXPECT_THROW(SegmentFeatures::learn_quantiles(none, {false, 1, 6}, 1), UsageError);
}

TEST(FigureOdds, ArePositiveForWhatStandsInTheMiddle) {
  Random random(6);
  const testing::Disc disc = testing::disc(40, 32, random);
  const image::Plane odds = figure_odds(box_mean(disc.raster.planes[0], 1));
  double inside = 0;
  double outside = 0;
  double count = 0;
  for (Index j = 0; j < odds.values.size(); ++j) {
    (disc.mask.labels[j] != 0 ? inside : outside) += static_cast<double>(odds.values[j]);
    count += disc.mask.labels[j];
  }
  EXPECT_GT(inside / count, 0.5);
  EXPECT_LT(outside / (static_cast<double>(odds.values.size()) - count), 0.0);
}

TEST(PixelChannels, AreFiniteForFlatPictures) {
  image::Raster flat;
  flat.planes.assign(3, image::Plane(6, 5, 0.25F));
  const ChannelImage image = pixel_channels(flat, true);
  EXPECT_EQ(image.names, channel_names(true));
  for (const image::Plane& plane : image.planes) {
    for (const float value : plane.values) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace trellis::segment
