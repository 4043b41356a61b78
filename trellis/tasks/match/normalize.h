// Scales of features: what makes their root mean square 1 over the training edges, while weights
// are learned. A shift would not matter where matchings cover a side: all of them have equally many
// edges.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

enum class Normalize {
  kAutomatic,  // common for shapes, whose bins have one unit; each for graphs
  kEach,       // a number for each feature
  kCommon,     // one for all
  kNone,
};
constexpr auto names_of(Normalize) {
  return Names{"normalization", "automatic", "each", "common", "none"};
}

// What kAutomatic stands for.
Normalize resolve(Normalize normalize, const MatchFeatures& features);

// The number that each feature is to be multiplied by.
std::vector<double> scales_of(const MatchData& data, Normalize normalize);
// The same examples with features so many times as large.
std::vector<MatchExample> scaled(std::span<const MatchExample> examples,
                                 std::span<const double> scale);

}  // namespace trellis::match
