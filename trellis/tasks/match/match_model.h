// A trained matcher: what it makes of graphs or shapes, its weights, and how it was made.
//
// Model file, kind "match", version 1:
//   meta      JSON: input ("graphs" or "pairs"), cover, estimator; graphs: named; pairs: rings,
//             sectors, inner, outer, difference, points, outline; training
//   names/offsets, names/bytes   graphs with named features: their names (data/name_list.h)
//   weights   float64: one for each feature of an edge
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
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

inline constexpr std::string_view kMatchModelKind = "match";
inline constexpr std::uint32_t kMatchModelVersion = 1;

enum class Estimator {
  kMap,  // the conditional likelihood of the matchings (Petterson 2011, 5.4): has probabilities
  kMaxMargin,  // the margin loss with Hamming cost (Caetano et al. 2009)
  kDistance,   // nothing is learned: every difference of shape contexts counts −1
};

std::string_view to_string(Estimator estimator);
Estimator parse_estimator(std::string_view name);  // throws UsageError

class MatchModel {
 public:
  MatchModel(MatchFeatures features, Estimator estimator, std::vector<double> weights,
             const nlohmann::json& training);

  // Throws InputError unless the file is a whole model that this program understands.
  static MatchModel read(const std::string& path);
  static MatchModel from_bytes(std::span<const std::byte> bytes, const std::string& name);

  void write(const std::string& path) const;
  std::string to_bytes() const;

  const MatchFeatures& features() const { return features_; }
  Estimator estimator() const { return estimator_; }
  std::span<const double> weights() const { return weights_; }
  const nlohmann::json& training() const { return *training_; }

 private:
  MatchFeatures features_;
  Estimator estimator_;
  std::vector<double> weights_;
  std::shared_ptr<const nlohmann::json> training_;
};

}  // namespace trellis::match
