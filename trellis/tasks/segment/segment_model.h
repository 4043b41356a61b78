// A trained segmenter: what it makes of pictures or graphs, its weights, and how it was made.
#pragma once

#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

class SegmentModel : public LinearModel<SegmentModel, LinearParts<SegmentFeatures>> {
 public:
  static constexpr ModelKind kKind{"segment"};
  static void describe(ModelArchive& a, LinearParts<SegmentFeatures>& m);
  using LinearModel::LinearModel;
};

}  // namespace trellis::segment
