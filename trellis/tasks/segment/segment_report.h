// The report of a segmenter: the course of training, scores, what the model has learned, and
// example pictures.
//
// The caller provides plain data, and the page depends on nothing else, so the same data give the
// same bytes. A part without data has no section.
#pragma once

#include <string>
#include <vector>

#include "trellis/frame/training/page/training_section.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/segment/predict.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"
#include "trellis/tasks/segment/train.h"

namespace trellis::report {

struct SegmentReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;  // dev: the share of correct pixels, in percent
  const Learned* learned = nullptr;    // for the choice of settings

  std::string evaluated_on;
  segment::SegmentScores scores;
  std::vector<segment::ShownPicture> pictures;
  std::vector<StrongFeature> features;
};

// The data of a model and of its training.
SegmentReport report_of(const segment::SegmentModel& model, const std::string& title);
void add_training(const segment::TrainResult& result, SegmentReport& report);

std::string segment_report(const SegmentReport& report);

}  // namespace trellis::report
