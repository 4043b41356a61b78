// The report of a matcher: how training went, how λ was chosen, how well it does, what it has
// learned, and pairs of shapes to look at.
//
// The caller gathers plain data; a part that is empty has no section. The page depends on nothing
// else, so the same data gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "trellis/report/feature_section.h"
#include "trellis/report/heat_map.h"
#include "trellis/report/page.h"
#include "trellis/report/training_section.h"
#include "trellis/tasks/match/match_scores.h"
#include "trellis/tasks/match/point_set.h"
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

struct MatchReport {
  std::string title;
  std::string subtitle;
  std::vector<Entry> options;
  std::vector<TrainingPoint> history;
  std::vector<match::LambdaFigure> choices;

  std::string evaluated_on;
  match::MatchScores scores;
  std::vector<MatchPicture> pictures;
  WeightMatrix contexts;                // of shapes: rings by sectors
  std::vector<StrongFeature> features;  // of graphs
};

std::string match_report(const MatchReport& report);

}  // namespace trellis::report
