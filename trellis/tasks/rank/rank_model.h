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
//   tree_begin   uint32, bounds of the trees' nodes (expansion trees:K,L), and of each node:
//                node_columns (uint32, places in indices), node_thresholds (float32),
//                node_children (int32, two: a later node of the tree, or ~leaf), node_gains
//                (float32)
//   weights      float64
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trellis/data/value.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/rank/rank_features.h"

namespace trellis::rank {

class RankModel : public LinearModel<RankModel, RankFeatures> {
 public:
  static constexpr std::string_view kKind = "rank";
  static constexpr std::uint32_t kVersion = 1;

  // Throws UsageError unless there is a weight for each dimension of the features.
  RankModel(RankFeatures features, std::vector<double> weights, const Value& training);

  static RankModel from_file(const ModelReader& reader, const Value& meta);
  ModelWriter writer() const;
};

}  // namespace trellis::rank
