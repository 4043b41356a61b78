// The report of a tagger: how training went, how well it tags, what it confuses, what it has
// learned, and sentences to look at.
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
#include "trellis/tasks/tag/metrics/confusion.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/page/span_text.h"

namespace trellis::report {

struct TagReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;

  std::vector<TrainingPoint> history;
  std::string dev_metric = "F1";     // what TrainingPoint::dev is
  const Learned* learned = nullptr;  // how settings were chosen

  // Scores on the data named here. Where labels are no spans, a "type" is a label.
  std::string evaluated_on;
  bool spans = true;
  Index sentences = 0;
  Index correct_sentences = 0;  // all labels right
  Index tokens = 0;
  Index correct_tokens = 0;
  tag::MatchCounts overall;
  std::vector<tag::LabelCounts> types;
  ConfusionMatrix confusion;

  std::vector<StrongFeature> features;  // in the order in which labels shall appear
  WeightMatrix transitions;
  std::vector<ExampleSentence> examples;
};

// What a model says of itself: how it was made, its strongest features and its transitions.
TagReport model_report(const tag::TagModel& model, const std::string& title);
void add_evaluation(const tag::Evaluation& evaluation, const std::string& file, TagReport& report);

std::string tag_report(const TagReport& report);

}  // namespace trellis::report
