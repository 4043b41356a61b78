// What the commands of `trellis match` share: the pages of --report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/report/match_report.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/match_scores.h"
#include "trellis/tasks/match/train.h"

namespace trellis::cli {

// The numbers of the strongest weights, in absolute value.
std::vector<Index> strongest_weights(const match::MatchModel& model, Index top);

// What a page shows of a model, of its training and of an evaluation.
report::MatchReport match_model_report(const match::MatchModel& model, const std::string& title);
void add_match_history(const match::TrainResult& result, report::MatchReport& page);
// Scores the examples, and draws some of them where they are shapes.
void add_match_evaluation(const match::MatchModel& model,
                          std::span<const match::MatchExample> examples, const std::string& name,
                          int threads, report::MatchReport& page);
void write_match_report(const report::MatchReport& page, const std::string& path);

}  // namespace trellis::cli
