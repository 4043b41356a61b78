// The report of a labeller: how training went, how well it labels, label by label, and what it has
// learned: features, and how labels speak for one another.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
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
  const Learned* learned = nullptr;    // how settings were chosen
  std::string advice;                  // on that choice; may be empty
  std::string dev_metric = "macro-F1";

  std::string evaluated_on;
  std::optional<label::LabelScores> scores;

  std::vector<StrongFeature> features;  // in the order in which labels shall appear
  // How labels speak for one another: couplings, or what each label of a chain makes of those
  // before it. `links_lead` says which.
  WeightMatrix links;
  std::string links_lead;
};

std::string label_report(const LabelReport& report);

}  // namespace trellis::report
