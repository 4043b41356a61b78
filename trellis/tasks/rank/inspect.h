// What a ranker has learned: which features raise a document, and which lower it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trellis/base/types.h"
#include "trellis/tasks/rank/rank_model.h"

namespace trellis::rank {

// All that there is to say about a model, with its `top` strongest weights.
nlohmann::json inspect_json(const RankModel& model, Index top);
std::string inspect_text(const RankModel& model, const std::string& name, Index top);

}  // namespace trellis::rank
