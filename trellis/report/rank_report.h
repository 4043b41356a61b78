// The report of a ranker: how training went and λ was chosen, how well it ranks, query by query,
// and what it has learned.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/report/feature_section.h"
#include "trellis/report/page.h"
#include "trellis/report/training_section.h"
#include "trellis/tasks/rank/rank_metrics.h"

namespace trellis::report {

struct RankReport {
  struct Choice {
    double lambda = 0;
    double figure = 0;
  };

  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;
  std::string selected_by;
  std::vector<Choice> choices;  // by falling λ

  std::string evaluated_on;
  rank::RankScores scores;
  std::vector<StrongFeature> features;
};

std::string rank_report(const RankReport& report);

}  // namespace trellis::report
