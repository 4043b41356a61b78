// What a ranker has learned: which features raise a document, and which lower it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {

// Which features the trees of an expansion ask for, and their shares of what all splits gained, the
// largest first.
struct SplitShare {
  std::uint32_t feature = 0;
  double share = 0;
};
std::vector<SplitShare> split_shares(const RankFeatures& features, Index top);

// All that there is to say about a model, with its `top` strongest weights.
Value inspect_record(const RankModel& model, Index top);
std::string inspect_text(const RankModel& model, const std::string& name, Index top);

}  // namespace trellis::rank
