// The report of a model of factor graphs: how training went, how well it does on each domain, and
// what it has learned.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/factors/factors_model.h"
#include "trellis/tasks/factors/factors_scores.h"
#include "trellis/tasks/factors/train.h"

namespace trellis::report {

struct FactorsReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;  // dev: the share of variables that are right, in percent
  const Learned* learned = nullptr;    // how settings were chosen

  std::string evaluated_on;
  std::optional<factors::FactorsScores> scores;
  std::vector<StrongFeature> features;  // by type
};

// What a page shows of a model, and of its training.
FactorsReport report_of(const factors::FactorsModel& model, const std::string& title);
void add_training(const factors::TrainResult& result, FactorsReport& report);

std::string factors_report(const FactorsReport& report);

}  // namespace trellis::report
