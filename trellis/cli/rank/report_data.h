// What the pages of --report show of a ranker, of its training and of an evaluation.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/report/rank_report.h"
#include "trellis/tasks/rank/rank_model.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::cli {

// The weights that are farthest from 0, strongest first.
std::vector<Index> strongest_weights(const rank::RankModel& model, Index top);

report::RankReport rank_model_report(const rank::RankModel& model, const std::string& title);
void write_rank_report(const report::RankReport& page, const std::string& path);
void write_rank_training_report(const rank::TrainOptions& options, const rank::TrainResult& result,
                                const std::string& path);

}  // namespace trellis::cli
