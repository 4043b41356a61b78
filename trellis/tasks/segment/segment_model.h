// A trained segmenter: what it makes of pictures or graphs, its weights, and how it was made.
//
// Model file, kind "segment", version 1:
//   meta        JSON: input ("pictures" or "graphs"), unary, colour, scale, connectivity, channels,
//               edge_width, training
//   quantiles   pictures: float32, kQuantiles for each channel
//   means, deviations   graphs: float32, one for each node feature of the file
//   weights     float64: those of the nodes, then those of the edges (≥ 0)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

inline constexpr std::string_view kSegmentModelKind = "segment";
inline constexpr std::uint32_t kSegmentModelVersion = 1;

class SegmentModel {
 public:
  SegmentModel(SegmentFeatures features, std::vector<double> weights,
               const nlohmann::json& training);

  // Throws InputError unless the file is a whole model that this program understands.
  static SegmentModel read(const std::string& path);
  static SegmentModel from_bytes(std::span<const std::byte> bytes, const std::string& name);

  void write(const std::string& path) const;
  std::string to_bytes() const;

  const SegmentFeatures& features() const { return features_; }
  std::span<const double> weights() const { return weights_; }
  const nlohmann::json& training() const { return *training_; }

 private:
  SegmentFeatures features_;
  std::vector<double> weights_;
  std::shared_ptr<const nlohmann::json> training_;
};

}  // namespace trellis::segment
