// Prediction: the best cut of a picture or a graph for a model's weights. Const and thread-safe for
// distinct scratch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/picture_files.h"
#include "trellis/formats/images/raster.h"
#include "trellis/structure/graphs/cut.h"
#include "trellis/tasks/segment/segment_example.h"
#include "trellis/tasks/segment/segment_features.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"

namespace trellis::segment {

class Segmenter {
 public:
  struct Scratch {
    std::vector<double> scores;
    CutNetwork::Scratch network;
    CutNetwork::Output output;
  };

  // Both must outlive the segmenter.
  Segmenter(const SegmentFeatures& features, std::span<const double> w)
      : features_(&features), w_(w) {}

  // Writes the labels of the nodes to `labels`; returns the score of the labelling.
  double segment(const SegmentExample& example, const CutNetwork& network, Scratch& scratch,
                 std::vector<std::uint8_t>& labels) const;
  // The mask of a picture, in the picture's own size.
  image::Mask segment(const image::Raster& raster, Scratch& scratch) const;

 private:
  const SegmentFeatures* features_;
  std::span<const double> w_;
};

// The networks of examples, which must outlive them. Making a network sorts its edges, so networks
// for repeated predictions should be kept.
std::vector<CutNetwork> networks_of(std::span<const SegmentExample> examples);

// Predicts each of the examples, on `threads` threads: labels[i] are those of example i.
std::vector<std::vector<std::uint8_t>> segment_all(const Segmenter& segmenter,
                                                   std::span<const SegmentExample> examples,
                                                   std::span<const CutNetwork> networks,
                                                   int threads);
// Evaluates on the examples, in the size that the model uses.
SegmentScores evaluate(const Segmenter& segmenter, std::span<const SegmentExample> examples,
                       std::span<const CutNetwork> networks, int threads);

}  // namespace trellis::segment
