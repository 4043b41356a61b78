// The report of a classifier: how training went, how well it classifies, what it confuses, what it
// has learned, and documents that it got wrong.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/predict.h"
#include "trellis/tasks/tag/metrics/confusion.h"

namespace trellis::report {

struct MistakenDocument {
  std::string place;  // "line 17"
  std::string text;   // its beginning
  std::string gold;
  std::string predicted;
};

struct ClassifyReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;  // dev is accuracy in percent
  const Learned* learned = nullptr;    // how settings were chosen

  // Scores on the data named here.
  std::string evaluated_on;
  Index documents = 0;
  Index correct = 0;
  double macro_f1 = 0;  // in percent
  std::vector<tag::LabelCounts> labels;
  ConfusionMatrix confusion;

  std::vector<StrongFeature> features;  // in the order in which labels shall appear
  std::vector<MistakenDocument> mistakes;
};

// What a model says of itself: how it was made, and its strongest features.
ClassifyReport model_report(const classify::ClassifyModel& model, const std::string& title);
void add_evaluation(const classify::Evaluation& evaluation, const std::string& file,
                    ClassifyReport& report);

std::string classify_report(const ClassifyReport& report);

}  // namespace trellis::report
