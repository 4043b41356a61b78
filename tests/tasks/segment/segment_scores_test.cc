#include "trellis/tasks/segment/segment_scores.h"

#include <gtest/gtest.h>

namespace trellis::segment {
namespace {

TEST(SegmentScores, CountWhatIsRightAndWrong) {
  const std::vector<std::uint8_t> truth = {1, 1, 1, 0, 0, 0, 0, 0};
  const std::vector<std::uint8_t> found = {1, 1, 0, 1, 0, 0, 0, 0};
  const SegmentCounts counts = compare(truth, found);
  EXPECT_EQ(counts.both, 2U);
  EXPECT_EQ(counts.missed, 1U);
  EXPECT_EQ(counts.spurious, 1U);
  EXPECT_EQ(counts.neither, 4U);
  EXPECT_DOUBLE_EQ(counts.pixel_error(), 25);
  EXPECT_DOUBLE_EQ(counts.iou(), 50);
  EXPECT_DOUBLE_EQ(counts.mean_iou(), (50 + 100.0 * 4 / 6) / 2);
}

TEST(SegmentScores, AllRightIsNoErrorWithOrWithoutAFigure) {
  const std::vector<std::uint8_t> ground(5, 0);
  EXPECT_DOUBLE_EQ(compare(ground, ground).pixel_error(), 0);
  EXPECT_DOUBLE_EQ(compare(ground, ground).iou(), 100);
  EXPECT_DOUBLE_EQ(compare(ground, ground).mean_iou(), 100);
}

TEST(SegmentScores, PoolPixelsAndAverageImages) {
  SegmentScores scores;
  scores.add("a", {1, 0, 1, 2});  // error 1/4, IoU 1/2
  scores.add("b", {6, 0, 0, 6});  // error 0, IoU 1
  EXPECT_DOUBLE_EQ(scores.overall().pixel_error(), 100.0 / 16);
  EXPECT_DOUBLE_EQ(scores.overall().iou(), 100.0 * 7 / 8);
  EXPECT_DOUBLE_EQ(scores.image_iou(), 75);
  const Value record = scores.record();
  EXPECT_DOUBLE_EQ(record.at("pixel_error").get<double>(), 6.25);
  EXPECT_DOUBLE_EQ(record.at("iou").get<double>(), 87.5);
  EXPECT_EQ(record.at("per_image").size(), 2U);
  EXPECT_NE(scores.to_text(true).find("b "), std::string::npos);
}

}  // namespace
}  // namespace trellis::segment
