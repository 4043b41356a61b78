// Scales features during training, to root mean square 1 over the training edges. A shift would
// have no effect if matchings cover a side, since they all have equally many edges.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

enum class Normalize {
  kAutomatic,  // shapes: common, since bins have one unit; graphs: each
  kEach,       // one factor for each feature
  kCommon,     // one factor for all features
  kNone,
};
constexpr auto names_of(Normalize) {
  return Names{"normalization", "automatic", "each", "common", "none"};
}

// The mode that kAutomatic selects.
Normalize resolve(Normalize normalize, const MatchFeatures& features);

// The factor of each feature.
std::vector<double> scales_of(const MatchData& data, Normalize normalize);
// The same examples with features multiplied by these factors.
std::vector<MatchExample> scaled(std::span<const MatchExample> examples,
                                 std::span<const double> scale);

}  // namespace trellis::match
