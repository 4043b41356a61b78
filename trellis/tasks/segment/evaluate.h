// How well a model does on pictures whose masks are known, or on graphs whose labels are.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"

namespace trellis::segment {

struct ShownPicture {
  std::string name;
  double pixel_error = 0;
  double iou = 0;
  std::string png;  // the bytes of a PNG file
};

struct Evaluation {
  SegmentScores scores;
  std::vector<ShownPicture> pictures;  // from the worst to the best, some in between left out
};

// Against the masks in their own size. Keeps overlays of up to `max_pictures` pictures.
Evaluation evaluate_files(const SegmentModel& model, const SegmentInput& input, int threads,
                          Index max_pictures = 0);

}  // namespace trellis::segment
