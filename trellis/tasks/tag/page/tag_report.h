// The report of a tagger: the course of training, scores, confusions, what the model has learned,
// and example sentences.
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
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/page/span_text.h"

namespace trellis::report {

struct TagReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;

  std::vector<TrainingPoint> history;
  std::string dev_metric = "F1";     // name of the metric in TrainingPoint::dev
  const Learned* learned = nullptr;  // for the choice of settings

  // The scores below are on this data. For labels without spans, a "type" is a label.
  std::string evaluated_on;
  bool spans = true;
  Index sentences = 0;
  Index correct_sentences = 0;  // with all labels correct
  Index tokens = 0;
  Index correct_tokens = 0;
  tag::MatchCounts overall;
  std::vector<tag::LabelCounts> types;
  ConfusionMatrix confusion;

  std::vector<StrongFeature> features;  // in the order of display
  WeightMatrix transitions;
  std::vector<ExampleSentence> examples;
};

// The data of a model: how it was made, its strongest features and its transitions.
TagReport model_report(const tag::TagModel& model, const std::string& title);
void add_evaluation(const tag::Evaluation& evaluation, const std::string& file, TagReport& report);

std::string tag_report(const TagReport& report);

}  // namespace trellis::report
