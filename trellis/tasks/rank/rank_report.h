// The report of a ranker: how training went and its dials were chosen, how well it ranks, query by
// query, and what it has learned.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/rank/rank_metrics.h"

namespace trellis::report {

struct RankReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;
  std::string selected_by;           // what TrainingPoint::dev is
  const Learned* learned = nullptr;  // how settings were chosen

  std::string evaluated_on;
  rank::RankScores scores;
  std::vector<StrongFeature> features;
};

std::string rank_report(const RankReport& report);

}  // namespace trellis::report
