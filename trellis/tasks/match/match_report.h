// The report of a matcher: how training went, how a setting was chosen, how well it does, what it
// has learned, and pairs of shapes to look at.
//
// A page is made of plain data; a part that is empty has no section. It depends on nothing else, so
// the same data gives the same bytes.
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

// Two shapes side by side, and which points were matched.
struct MatchPicture {
  struct Line {
    Index left = 0;
    Index right = 0;
    bool right_one = true;  // or a mistake
  };

  std::string name;
  double error = 0;  // in percent
  match::PointSet left;
  match::PointSet right;
  std::vector<Line> lines;
};

// How well a value of the dial that was chosen does on held-out data.
struct MatchReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;
  const Learned* learned = nullptr;  // how settings were chosen

  std::string evaluated_on;
  match::MatchScores scores;
  std::optional<double> unlearned;  // Hamming error there of what nobody has to learn
  std::vector<MatchPicture> pictures;
  WeightMatrix contexts;                // of shapes: rings by sectors
  std::vector<StrongFeature> features;  // of graphs
};

std::string match_report(const MatchReport& report);

// What a page shows of a model, of its training and of an evaluation.
MatchReport model_page(const match::MatchModel& model, const std::string& title);
void add_training(const match::TrainResult& result, MatchReport& page);
// Scores the examples, and draws some of them where they are shapes. `name` says what they are.
void add_evaluation(const match::MatchModel& model, std::span<const match::MatchExample> examples,
                    const std::string& name, int threads, MatchReport& page);

}  // namespace trellis::report
