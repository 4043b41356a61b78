// A trained segmenter: what it makes of pictures or graphs, its weights, and how it was made.
//
// Model file, kind "segment", version 1:
//   meta        JSON: input ("pictures" or "graphs"), unary, colour, scale, connectivity, channels,
//               edge_width, training
//   quantiles   pictures: float32, kQuantiles for each channel
//   means, deviations   graphs: float32, one for each node feature of the file
//   weights     float64: those of the nodes, then those of the edges (≥ 0)
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

class SegmentModel : public LinearModel<SegmentModel, SegmentFeatures> {
 public:
  static constexpr std::string_view kKind = "segment";
  static constexpr std::uint32_t kVersion = 1;

  SegmentModel(SegmentFeatures features, std::vector<double> weights, const Value& training)
      : LinearModel(std::move(features), std::move(weights), training) {}
  static SegmentModel from_file(const ModelReader& reader, const Value& meta);
  ModelWriter writer() const;
};

}  // namespace trellis::segment
