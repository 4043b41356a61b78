// Landmark matching: pairs of frames of a turning house, 30 landmarks each. An edge's features are
// the differences of its ends' shape contexts (Belongie, Malik & Puzicha 2002): log-polar
// histograms of where the other landmarks lie.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/base/text.h"
#include "trellis/problem/block_model.h"
#include "trellis/structure/matching.h"

namespace trellis::bench {

struct Point {
  double x, y;
};
using Frame = std::vector<Point>;

inline std::vector<Frame> read_frames(const std::string& path) {
  InputFile file(path);
  std::string_view line;
  std::vector<std::string_view> fields;
  std::vector<Frame> frames;
  file.read_line(line);  // the header
  while (file.read_line(line)) {
    split(line, '\t', fields);
    if (fields.size() != 4) throw InputError(path, 0, "expected frame, point, x and y", line);
    const auto frame = static_cast<Index>(*parse_integer(fields[0]));
    if (frames.size() <= frame) frames.resize(frame + 1);
    frames[frame].push_back({*parse_double(fields[2]), *parse_double(fields[3])});
  }
  return frames;
}

inline constexpr Index kRings = 5;
inline constexpr Index kSectors = 12;
using ShapeContext = std::array<float, kRings * kSectors>;

inline std::vector<ShapeContext> shape_contexts(const Frame& frame) {
  double mean = 0;
  for (const Point& p : frame) {
    for (const Point& q : frame) mean += std::hypot(q.x - p.x, q.y - p.y);
  }
  mean /= static_cast<double>(frame.size() * (frame.size() - 1));
  std::vector<ShapeContext> contexts(frame.size(), ShapeContext{});
  for (Index j = 0; j < frame.size(); ++j) {
    for (Index k = 0; k < frame.size(); ++k) {
      if (k == j) continue;
      const double dx = frame[k].x - frame[j].x;
      const double dy = frame[k].y - frame[j].y;
      // Rings from 1/8 to 2 mean distances, doubling.
      const double ring = std::floor(std::log2(std::hypot(dx, dy) / mean) + 4);
      const double turn = std::atan2(dy, dx) / (2 * std::numbers::pi) + 0.5;
      const auto r = static_cast<Index>(std::fmin(std::fmax(ring, 0.0), kRings - 1.0));
      const auto sector = static_cast<Index>(turn * kSectors) % kSectors;
      contexts[j][r * kSectors + sector] += 1.0F / static_cast<float>(frame.size());
    }
  }
  return contexts;
}

// The right landmarks come in an order of their own: where scores tie, no matching is to be right
// by its numbers alone.
inline BlockExample<Matching> pair_example(const Frame& left, const Frame& landmarks, Index seed) {
  std::vector<Index> order(landmarks.size());
  std::iota(order.begin(), order.end(), Index{0});
  Random random(seed);
  for (Index k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  Frame right;
  for (const Index k : order) right.push_back(landmarks[k]);
  const std::vector<ShapeContext> a = shape_contexts(left);
  const std::vector<ShapeContext> b = shape_contexts(right);
  std::vector<float> features;
  for (const ShapeContext& x : a) {
    for (const ShapeContext& y : b) {
      for (Index k = 0; k < x.size(); ++k) features.push_back(-std::abs(x[k] - y[k]));
    }
  }
  BlockExample<Matching> example{Matching(a.size(), b.size(), Cover::kPerfect), {}, {}, {}, 1};
  example.gold.resize(a.size());
  for (Index k = 0; k < order.size(); ++k) example.gold[order[k]] = static_cast<Label>(k);
  example.blocks.push_back(
      {FeatureRows::dense(kRings * kSectors, std::move(features)), 0, 1, 0, 1});
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
  return {kRings * kSectors, std::move(examples)};
}

}  // namespace trellis::bench
