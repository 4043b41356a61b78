#include "trellis/tasks/match/normalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::match {
namespace {

constexpr std::array<std::pair<std::string_view, Normalize>, 4> kNormalizations = {
    {{"automatic", Normalize::kAutomatic},
     {"each", Normalize::kEach},
     {"common", Normalize::kCommon},
     {"none", Normalize::kNone}}};

}  // namespace

std::string_view to_string(Normalize normalize) {
  for (const auto& [name, value] : kNormalizations) {
    if (value == normalize) return name;
  }
  return "";
}

Normalize parse_normalize(std::string_view name) {
  for (const auto& [known, value] : kNormalizations) {
    if (known == name) return value;
  }
  throw UsageError(
      fmt::format("unknown normalization '{}': expected automatic, each, common or none", name));
}

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
    // The bias of partial matchings, behind the bins, has a unit of its own.
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
