// The report of a classifier: the course of training, scores, confusions, what it has learned, and
// misclassified documents.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/frame/training/training.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/scorers/confusion.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/predict.h"

namespace trellis::report {

struct MistakenDocument {
  std::string place;  // "line 17"
  std::string text;   // beginning of the text
  std::string gold;
  std::string predicted;
};

struct ClassifyReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;  // dev is accuracy in percent
  const Learned* learned = nullptr;    // for the choice of settings

  // The scores below are on this data.
  std::string evaluated_on;
  Index documents = 0;
  Index correct = 0;
  double macro_f1 = 0;  // in percent
  std::vector<tag::LabelCounts> labels;
  ConfusionMatrix confusion;

  std::vector<StrongFeature> features;  // in the order of display
  std::vector<MistakenDocument> mistakes;
};

// The data that a model contains: how it was made, and its strongest features.
ClassifyReport model_report(const classify::ClassifyModel& model, const std::string& title);
void add_evaluation(const classify::Evaluation& evaluation, const std::string& file,
                    ClassifyReport& report);

std::string classify_report(const ClassifyReport& report);

}  // namespace trellis::report
