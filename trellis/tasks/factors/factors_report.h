// The report of a model of factor graphs: the course of training, scores for each domain, and what
// the model has learned.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
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
  std::vector<TrainingPoint> history;  // dev: the share of correct variables, in percent
  const Learned* learned = nullptr;    // for the choice of settings

  std::string evaluated_on;
  std::optional<factors::FactorsScores> scores;
  std::vector<StrongFeature> features;  // by type
};

// The data of a model and of its training.
FactorsReport report_of(const factors::FactorsModel& model, const std::string& title);
void add_training(const factors::TrainResult& result, FactorsReport& report);

std::string factors_report(const FactorsReport& report);

}  // namespace trellis::report
