// Scores of figure and ground labels, over all pixels of all pictures (or all nodes of graphs).
//
//   pixel error   the share of pixels with the wrong label
//   IoU           |found ∩ true| / |found ∪ true| of the figure (Jaccard); 100 if both are empty
//   mean IoU      the mean of the IoU of figure and ground, as in PASCAL VOC
//   image IoU     the mean over pictures of the IoU of each picture
//
// All are in percent.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"

namespace trellis::segment {

struct SegmentCounts {
  Index both = 0;    // figure, found as figure
  Index missed = 0;  // figure, found as ground
  Index spurious = 0;
  Index neither = 0;

  Index total() const { return both + missed + spurious + neither; }
  Index wrong() const { return missed + spurious; }
  double pixel_error() const;
  double iou() const;
  double mean_iou() const;
  void add(const SegmentCounts& more);
};

// Labels are 0 and 1; both spans have the same length.
SegmentCounts compare(std::span<const std::uint8_t> truth, std::span<const std::uint8_t> found);

class SegmentScores {
 public:
  struct Image {
    std::string name;
    SegmentCounts counts;
  };

  void add(std::string name, const SegmentCounts& counts);

  const SegmentCounts& overall() const { return overall_; }
  const std::vector<Image>& images() const { return images_; }
  double image_iou() const;

  // Keys pixel_error iou mean_iou image_iou images pixels per_image.
  Value record() const;
  std::string to_text(bool per_image) const;

 private:
  std::vector<Image> images_;
  SegmentCounts overall_;
};

}  // namespace trellis::segment
