// A trained ranker: what it makes of a document, its weights, and how it was made. The score of a
// document is ⟨ψ, w⟩, up to a constant per query (query_columns.h); a query is ranked by sorting,
// which is the best matching of documents and positions (eq. 5.13).
//
// Model file, kind "rank", version 1:
//   meta         JSON: normalization, expansion, training
//   indices      uint32: the features, ascending
//   scales       float64, one for each feature (normalization "scale" alone)
//   knot_begin   uint32, and knots, float32 (expansion binned:B)
//   directions   float32, [feature · K + m], and phases, float32 (expansion random:K)
//   weights      float64
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
#include "trellis/tasks/rank/rank_features.h"

namespace trellis::rank {

inline constexpr std::string_view kRankModelKind = "rank";
inline constexpr std::uint32_t kRankModelVersion = 1;

class RankModel {
 public:
  // Throws UsageError unless there is a weight for each dimension of the features.
  RankModel(RankFeatures features, std::vector<double> weights, const nlohmann::json& training);

  // Throws InputError unless the file is a whole model that this program understands.
  static RankModel read(const std::string& path);
  static RankModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const;
  std::string to_bytes() const;

  const RankFeatures& features() const { return features_; }
  std::span<const double> weights() const { return weights_; }
  const nlohmann::json& training() const { return *training_; }

 private:
  RankFeatures features_;
  std::vector<double> weights_;
  std::shared_ptr<const nlohmann::json> training_;
};

// The weights that are farthest from 0, strongest first.
std::vector<Index> strongest_weights(const RankModel& model, Index top);

}  // namespace trellis::rank
