// Streams of pictures and graphs: what stands before a bad one is predicted all the same.
#include "trellis/tasks/segment/predict.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/base/temporary_directory.h"
#include "tests/formats/images/small_pictures.h"
#include "trellis/base/error.h"
#include "trellis/formats/images/image_file.h"

namespace trellis::segment::predict_test {
namespace {

using trellis::testing::TemporaryDirectory;

SegmentModel graph_model() {
  return SegmentModel(SegmentFeatures::of_graphs({0}, {1}, 0, false), {1, 0, 0.5}, {});
}

SegmentModel picture_model() {
  Random random(1);
  const std::vector<image::Raster> rasters = {testing::random_raster(12, 9, 1, random)};
  SegmentFeatures features =
      SegmentFeatures::of_pictures({}, SegmentFeatures::learn_quantiles(rasters, {}, 1), false);
  std::vector<double> w(features.dimension(), 0.1);
  return SegmentModel(std::move(features), std::move(w), {});
}

TEST(SegmentGraphStream, FindsAllGraphsOfAllFilesInOrder) {
  TemporaryDirectory folder;
  const SegmentInput input{{folder.make("a", "graph a 1 0\n? 2\ngraph b 2 1\n? 3\n? -1\n0 1\n"),
                            folder.make("b", "graph a 1 0\n? -2\n")},
                           true,
                           false};
  for (const int threads : {1, 2, 3}) {
    std::string found;
    segment_graphs(graph_model(), input, threads,
                   [&](const SegmentExample& graph, std::span<const std::uint8_t> labels) {
                     found += graph.name;
                     for (const std::uint8_t label : labels) found += label != 0 ? "1" : "0";
                   });
    EXPECT_EQ(found, "a1b10a0");
  }
}

TEST(SegmentGraphStream, FindsWhatPrecedesABadGraph) {
  TemporaryDirectory folder;
  const SegmentInput input{
      {folder.make("a", "graph a 1 0\n? 2\ngraph b 1 0\n? 3\ngraph c 1 0\n? x\n")}, true, false};
  for (const int threads : {1, 2, 5}) {
    std::string found;
    EXPECT_THROW(segment_graphs(graph_model(), input, threads,
                                [&](const SegmentExample& graph, std::span<const std::uint8_t>) {
                                  found += graph.name;
                                }),
                 InputError);
    EXPECT_EQ(found, "ab");
  }
}

TEST(SegmentPictureStream, WritesTheMasksThatPrecedeABadPicture) {
  TemporaryDirectory pictures;
  Random random(2);
  for (const char* name : {"a", "b", "d"}) {
    image::write_png(pictures.file(std::string(name) + ".png"),
                     encode_png(testing::disc(8, 6, random).raster));
  }
  pictures.make("c.png", "requires pictures");
  for (const int threads : {1, 2, 5}) {
    TemporaryDirectory out;
    PredictOptions options;
    options.input.files = {pictures.path()};
    options.input.labelled = false;
    options.output = out.path();
    options.threads = threads;
    EXPECT_THROW(predict(picture_model(), options), InputError);
    EXPECT_TRUE(std::filesystem::exists(out.file("a.mask.png")));
    EXPECT_TRUE(std::filesystem::exists(out.file("b.mask.png")));
    EXPECT_FALSE(std::filesystem::exists(out.file("d.mask.png")));
  }
}

}  // namespace
}  // namespace trellis::segment::predict_test
