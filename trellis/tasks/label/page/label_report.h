// The report of a labeller: the course of training, scores for each label, and what it has learned:
// features, and weights between labels.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/label/metrics/label_scores.h"

namespace trellis::report {

struct LabelReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;  // dev is `dev_metric` in percent
  const Learned* learned = nullptr;    // for the choice of settings
  std::string advice;                  // about that choice; may be empty
  std::string dev_metric = "macro-F1";

  std::string evaluated_on;
  std::optional<label::LabelScores> scores;

  std::vector<StrongFeature> features;  // in the order of display
  // Weights between labels: couplings, or weights from preceding labels of a chain. `links_lead`
  // says which.
  WeightMatrix links;
  std::string links_lead;
};

std::string label_report(const LabelReport& report);

}  // namespace trellis::report
