// What a ranker has learned: the features that raise or lower the score of a document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {

// The features in the trees of an expansion, with their shares of the total gain of all splits,
// largest first.
struct SplitShare {
  std::uint32_t feature = 0;
  double share = 0;
};
std::vector<SplitShare> split_shares(const RankFeatures& features, Index top);

// Everything known about a model, with its `top` largest weights.
Value inspect_record(const RankModel& model, Index top);
std::string inspect_text(const RankModel& model, const std::string& name, Index top);

}  // namespace trellis::rank
