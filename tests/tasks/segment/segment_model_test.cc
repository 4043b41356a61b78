#include "trellis/tasks/segment/segment_model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "tests/formats/images/small_pictures.h"
#include "trellis/base/error.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::segment {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

SegmentModel graph_model() {
  return SegmentModel(SegmentFeatures::of_graphs({1, 2}, {1, 3}, 1, false), {0.5, -1, 2, 0.25, 0},
                      Value::record({{"learner", "bcfw"}}));
}

SegmentModel picture_model() {
  Random random(1);
  const std::vector<image::Raster> rasters = {testing::random_raster(12, 9, 1, random)};
  const PictureOptions options{false, 0.5, 4};
  SegmentFeatures features = SegmentFeatures::of_pictures(
      options, SegmentFeatures::learn_quantiles(rasters, options, 1), false);
  std::vector<double> w(features.dimension());
  for (Index k = 0; k < w.size(); ++k) {
    w[k] = k < features.num_node_weights() ? random.normal() : random.uniform();
  }
  return SegmentModel(std::move(features), std::move(w), Value::record({{"learner", "sgd"}}));
}

bool refused(const std::string& bytes) {
  try {
    SegmentModel::from_bytes(as_bytes(bytes), "m");
  } catch (const InputError&) {
    return true;
  }
  return false;
}

TEST(SegmentModel, LoadsWhatWasSaved) {
  for (const SegmentModel& model : {graph_model(), picture_model()}) {
    const std::string bytes = model.to_bytes();
    const SegmentModel back = SegmentModel::from_bytes(as_bytes(bytes), "m");
    EXPECT_EQ(back.to_bytes(), bytes);
    EXPECT_TRUE(std::equal(model.weights().begin(), model.weights().end(), back.weights().begin(),
                           back.weights().end()));
    EXPECT_EQ(back.training(), model.training());
  }
}

TEST(SegmentModel, PredictsTheSameAfterLoading) {
  const SegmentModel model = picture_model();
  const SegmentModel back = SegmentModel::from_bytes(as_bytes(model.to_bytes()), "m");
  Random random(2);
  Segmenter::Scratch scratch;
  for (int trial = 0; trial < 5; ++trial) {
    const image::Raster raster = testing::random_raster(15, 10, 1, random);
    const image::Mask a = Segmenter(model.features(), model.weights()).segment(raster, scratch);
    const image::Mask b = Segmenter(back.features(), back.weights()).segment(raster, scratch);
    EXPECT_EQ(a.width, 15U);
    EXPECT_EQ(a.labels, b.labels);
  }
}

TEST(SegmentModel, CutOrChangedAnywhereIsRefused) {
  const std::string good = graph_model().to_bytes();
  ASSERT_FALSE(refused(good));
  for (Index size = 0; size < good.size(); ++size) EXPECT_TRUE(refused(good.substr(0, size)));
  for (Index at = 0; at < good.size(); ++at) {
    for (const char change : {'\x01', '\x80'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      EXPECT_TRUE(refused(bad)) << at;
    }
  }
}

// A model whose checksums are right and whose contents are not.
std::string hostile(const Value& meta, const std::vector<float>& means,
                    const std::vector<float>& deviations, const std::vector<double>& weights) {
  ModelWriter writer("segment", 1);
  writer.add_json("meta", meta);
  writer.add_array<float>("means", means);
  writer.add_array<float>("deviations", deviations);
  writer.add_array<double>("weights", weights);
  return writer.to_bytes();
}

TEST(SegmentModel, WithContentsThatDoNotFitIsRefused) {
  const Value meta = Value::record(
      {{"input", "graphs"}, {"unary", false}, {"edge_width", 1}, {"training", nullptr}});
  const auto with = [&](const char* key, const Value& value) {
    Value changed = meta;
    changed[key] = value;
    return hostile(changed, {0}, {1}, {1, 2, 3, 4});
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  ASSERT_FALSE(refused(hostile(meta, {0}, {1}, {1, 2, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {1}, {1, 2, 3})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {1}, {1, 2, 3, 4, 5})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {1}, {1, nan, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {1}, {1, 2, 3, -4})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {0}, {1, 2, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {-1}, {1, 2, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {inf}, {1}, {1, 2, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {0}, {1, 1}, {1, 2, 3, 4})));
  EXPECT_TRUE(refused(hostile(meta, {}, {}, {1, 2, 3})));
  EXPECT_TRUE(refused(with("edge_width", -1)));
  EXPECT_TRUE(refused(with("edge_width", 1.5)));
  EXPECT_TRUE(refused(with("edge_width", 18446744073709551615ULL)));
  EXPECT_TRUE(refused(with("input", "pictures")));
  EXPECT_TRUE(refused(with("input", 3)));
  EXPECT_TRUE(refused(with("unary", "no")));
  EXPECT_TRUE(refused(with("unary", true)));  // then there are too many weights
}

TEST(SegmentModel, OfAnotherKindIsRefused) {
  ModelWriter writer("tag", 1);
  writer.add_text("meta", "{}");
  EXPECT_TRUE(refused(writer.to_bytes()));
}

}  // namespace
}  // namespace trellis::segment
