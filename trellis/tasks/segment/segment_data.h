// The examples of a training set and of a dev set, from pictures or graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/picture_files.h"
#include "trellis/tasks/segment/segment_example.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

struct SegmentInput {
  std::vector<std::string> files;  // as in picture_files.h; graph files with `graphs`
  bool graphs = false;
  bool labelled = true;
  bool allow_disconnected = false;
};

// The options for features.
struct FeatureOptions {
  PictureOptions pictures;  // `colour` is detected
  bool unary = false;       // no edges: nodes are independent
};

// A training set: examples, and the features learned from them.
struct SegmentData {
  SegmentFeatures features;
  std::vector<SegmentExample> examples;
};

SegmentData segment_data(std::vector<Picture> pictures, const FeatureOptions& options, int threads);
// Messages name `name`.
SegmentData segment_data(GraphSet graphs, const FeatureOptions& options, const std::string& name);
SegmentData read_segment_data(const SegmentInput& input, const FeatureOptions& options,
                              int threads);

// Examples for existing features. Pictures and their labels have the size that the model uses.
std::vector<SegmentExample> read_examples(const SegmentInput& input,
                                          const SegmentFeatures& features, int threads);

// A fingerprint of labels, edges and features.
std::uint64_t digest(std::span<const SegmentExample> examples);

}  // namespace trellis::segment
