// The report of a matcher: the course of training, the choice of a setting, scores, what it has
// learned, and pairs of shapes.
//
// A page consists of plain data and depends on nothing else, so the same data give the same bytes.
// A part without data has no section.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/formats/shapes/point_set.h"
#include "trellis/frame/training/page/training_section.h"
#include "trellis/pictures/charts/heat_map.h"
#include "trellis/pictures/page/page.h"
#include "trellis/pictures/sections/feature_section.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/match_scores.h"
#include "trellis/tasks/match/train.h"

namespace trellis::report {

// Two shapes side by side with their matched points.
struct MatchPicture {
  struct Line {
    Index left = 0;
    Index right = 0;
    bool right_one = true;  // false: a mistake
  };

  std::string name;
  double error = 0;  // in percent
  match::PointSet left;
  match::PointSet right;
  std::vector<Line> lines;
};

// The data of the page.
struct MatchReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;
  const Learned* learned = nullptr;  // for the choice of settings

  std::string evaluated_on;
  match::MatchScores scores;
  std::optional<double> unlearned;  // Hamming error of the unlearned score on the same data
  std::vector<MatchPicture> pictures;
  WeightMatrix contexts;                // for shapes: rings by sectors
  std::vector<StrongFeature> features;  // for graphs
};

std::string match_report(const MatchReport& report);

// The data of a model, its training and an evaluation.
MatchReport model_page(const match::MatchModel& model, const std::string& title);
void add_training(const match::TrainResult& result, MatchReport& page);
// Scores the examples and, if they are shapes, draws some pairs. `name` describes the data.
void add_evaluation(const match::MatchModel& model, std::span<const match::MatchExample> examples,
                    const std::string& name, int threads, MatchReport& page);

}  // namespace trellis::report
