#include "trellis/tasks/match/normalize.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace trellis::match {

Normalize resolve(Normalize normalize, const MatchFeatures& features) {
  if (normalize != Normalize::kAutomatic) return normalize;
  return features.pairs() ? Normalize::kCommon : Normalize::kEach;
}

std::vector<double> scales_of(const MatchData& data, Normalize normalize) {
  const MatchFeatures& features = data.features;
  std::vector<double> scale(features.dimension(), 1.0);
  if (resolve(normalize, features) == Normalize::kNone) return scale;
  std::vector<double> squares(scale.size(), 0.0);
  Index edges = 0;
  for (const MatchExample& example : data.examples) {
    example.features.add_squares(squares);
    edges += example.features.num_edges();
  }
  if (resolve(normalize, features) == Normalize::kCommon) {
    // The bias of partial matchings follows the bins and has its own unit.
    const Index count = features.pairs() ? features.contexts().num_bins() : features.dimension();
    const auto last = squares.begin() + static_cast<std::ptrdiff_t>(count);
    const double mean = std::accumulate(squares.begin(), last, 0.0) / static_cast<double>(count);
    std::fill(squares.begin(), last, mean);
  }
  for (Index k = 0; k < scale.size(); ++k) {
    const double rms = std::sqrt(squares[k] / static_cast<double>(edges));
    if (rms > 0 && std::isfinite(1 / rms)) scale[k] = 1 / rms;
  }
  return scale;
}

std::vector<MatchExample> scaled(std::span<const MatchExample> examples,
                                 std::span<const double> scale) {
  EdgeFeatures::ScaledTables made;
  std::vector<MatchExample> others;
  others.reserve(examples.size());
  for (const MatchExample& example : examples) {
    MatchExample other = example;
    other.features = example.features.scaled(scale, made);
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace trellis::match
