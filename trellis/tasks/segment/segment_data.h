// The examples of a training set and of what is watched, from pictures or graphs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/segment/picture_files.h"
#include "trellis/tasks/segment/segment_example.h"
#include "trellis/tasks/segment/segment_features.h"

namespace trellis::segment {

struct SegmentInput {
  std::vector<std::string> files;
  bool graphs = false;
  bool labelled = true;
  bool allow_disconnected = false;
};

struct TrainingData {
  SegmentFeatures features;
  std::vector<SegmentExample> examples;
};

// Pictures and masks, features learned from them. `options.colour` is found out.
TrainingData read_training_pictures(std::span<const std::string> files,
                                    const PictureOptions& options, bool unary, int threads);
TrainingData read_training_graphs(std::span<const std::string> files, bool allow_disconnected,
                                  bool unary);

// The graphs of all files, which must have equally many features.
GraphSet read_graph_files(std::span<const std::string> files, const GraphReadOptions& options);

// Examples for features that are already there. Pictures are as large as the model sees them, and
// so are their labels.
std::vector<SegmentExample> read_examples(const SegmentInput& input,
                                          const SegmentFeatures& features, int threads);

// A fingerprint of labels, edges and features.
std::uint64_t digest(std::span<const SegmentExample> examples);

}  // namespace trellis::segment
