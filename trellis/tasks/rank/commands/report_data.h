// What the pages of --report show of a ranker, of its training and of an evaluation.
#pragma once

#include <string>

#include "trellis/tasks/rank/rank_model.h"
#include "trellis/tasks/rank/rank_report.h"
#include "trellis/tasks/rank/train.h"

namespace trellis::rank {

report::RankReport model_report(const RankModel& model, const std::string& title);
// `dev`: the name of the dev set; empty where there is none.
report::RankReport training_report(const Trained& trained, const std::string& title,
                                   const TrainOptions& options, const std::string& dev);

}  // namespace trellis::rank
