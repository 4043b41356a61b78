// The report of a ranker: the course of training, the choice of settings, scores by query, and what
// the model has learned.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
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
  std::string selected_by;           // name of the metric in TrainingPoint::dev
  const Learned* learned = nullptr;  // for the choice of settings

  std::string evaluated_on;
  rank::RankScores scores;
  std::vector<StrongFeature> features;
};

std::string rank_report(const RankReport& report);

}  // namespace trellis::report
