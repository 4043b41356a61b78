// Landmark matching: pairs of frames of a turning house, 30 landmarks each. An edge's features are
// the differences of its ends' shape contexts (tasks/match/shape_context.h).
#pragma once

#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/formats/shapes/point_file.h"
#include "trellis/problem/block_model.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/match/shape_context.h"

namespace trellis::bench {

using Frame = match::PointSet;

inline std::vector<Frame> read_frames(const std::string& path) {
  std::vector<Frame> frames;
  for (auto& [number, frame] : match::read_frames(InputFile(path))) frames.push_back(frame);
  return frames;
}

inline match::ContextOptions house_contexts() {
  match::ContextOptions options;
  options.difference = match::Difference::kAbsolute;
  return options;
}

// The right landmarks come in an order of their own: where scores tie, no matching is to be right
// by its numbers alone.
inline BlockExample<Matching> pair_example(const Frame& left, const Frame& landmarks, Index seed) {
  const Index n = landmarks.points.size();
  const std::vector<Index> order = random_permutation(n, Random(seed));
  Frame right;
  for (const Index k : order) right.points.push_back(landmarks.points[k]);
  const match::ContextOptions options = house_contexts();
  std::vector<float> features = match::context_differences(
      match::shape_contexts(left, options), match::shape_contexts(right, options), options);
  for (float& x : features) x = -x;
  BlockExample<Matching> example{Matching(left.points.size(), n, Cover::kPerfect), {}, {}, {}, 1};
  example.gold.resize(left.points.size());
  for (Index k = 0; k < order.size(); ++k) example.gold[order[k]] = static_cast<Label>(k);
  example.blocks.push_back(
      {FeatureRows::dense(options.num_bins(), std::move(features)), 0, 1, 0, 1});
  std::vector<double> truth(example.structure.num_parts());
  example.structure.indicator(example.gold, truth);
  example.costs.resize(truth.size());
  hamming_costs(truth, 0.5, 0.5, example.costs);  // a landmark with the wrong partner costs 1
  return example;
}

// Pairs of frames `distance` apart; the pair that begins with frame t goes to part t mod 3.
inline BlockModel<Matching> house_pairs(const std::vector<Frame>& frames, Index distance,
                                        Index part) {
  std::vector<BlockExample<Matching>> examples;
  for (Index t = part; t + distance < frames.size(); t += 3) {
    examples.push_back(pair_example(frames[t], frames[t + distance], t));
  }
  return {house_contexts().num_bins(), std::move(examples)};
}

}  // namespace trellis::bench
