// A trained ranker: what it makes of a document, its weights, and how it was made. The score of a
// document is ⟨ψ, w⟩, up to a constant per query (query_columns.h); a query is ranked by sorting,
// which is the best matching of documents and positions (eq. 5.13).
#pragma once

#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/rank/rank_features.h"

namespace trellis::rank {

class RankModel : public LinearModel<RankModel, LinearParts<RankFeatures>> {
 public:
  static constexpr ModelKind kKind{"rank"};
  static void describe(ModelArchive& a, LinearParts<RankFeatures>& m);
  using LinearModel::LinearModel;
};

}  // namespace trellis::rank
