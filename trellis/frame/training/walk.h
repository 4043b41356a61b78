// The settings of a path in the order in which they are evaluated, from strong regularisation to
// weak.
//
// Those of a list are all evaluated. For an automatic choice (`--c auto`) the walk ends behind its
// peak, since weak regularisation costs most and promises least there; if the best setting is the
// first or the last one, the walk continues beyond the grid. Limits can end it earlier.
//
//   Walk walk(path, "c");
//   while (const auto k = walk.next()) walk.judge(figure_of(walk.settings()[*k]));
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/search.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

// What a walk may cost, and how far it may lag behind the best.
struct WalkLimits {
  // Maximum of the work done, in the unit of judge(), plus that of the next setting, which is taken
  // to be three times that of the last one.
  double work = kInfinity;
  double first_work = 0;  // the work that the first setting is taken to be
  // The walk ends after a figure that is lower than the best one by more than this. The best is
  // that of this walk and of those before it.
  double hopeless = kInfinity;
  double best_before = -kInfinity;
};

class Walk {
 public:
  // `dial`: the one whose values are automatic, along the path; empty: the path is a list.
  // `behind`: settings worse than the best, after which it ends.
  explicit Walk(Path path, std::string dial = {}, Index behind = 2, WalkLimits limits = {});

  // The number of the next setting to evaluate; none: the walk is over.
  std::optional<Index> next();
  // The figure of that setting, higher is better, and its cost. NaN is never the best.
  void judge(double figure, double work = 0);

  // Numbered as they are evaluated.
  const std::vector<LearnerChoice>& settings() const { return path_; }
  // Whether a setting may start from where the one before it ended, which is the next stronger one.
  bool follows(Index k) const { return k > 0 && (first_stronger_ == 0 || k < first_stronger_); }

  // The numbers of the settings that were judged, from strong to weak.
  std::vector<Index> order() const;
  // Their values, in that order.
  std::vector<double> values() const;
  // Figures are noisy and change slowly along a path. So the figure at a place of that order is
  // averaged with half of the better neighbour's: a peak that stands alone is noise.
  double smoothed(Index place) const;
  // The place with the highest of these averages, the first of equals. There must be one.
  Index best() const;

  double work() const { return work_; }
  // Whether the limit on its work ended it.
  bool out_of_work() const { return out_of_work_; }

 private:
  std::optional<Index> next_on_path();
  bool extend(double value);
  double value(Index k) const;

  Path path_;
  std::string dial_;
  Index behind_;
  WalkLimits limits_;
  double ratio_ = 1;             // of neighbours, weak by strong
  std::vector<double> figures_;  // of those judged
  Index best_ = 0;               // of these
  double work_ = 0;
  double next_work_;
  bool hopeless_ = false;
  bool out_of_work_ = false;
  Index planned_;             // settings of the grid itself
  Index first_stronger_ = 0;  // the first setting beyond the strong end; 0: there is none
  bool weaker_ = true;        // the way is still towards weaker settings
};

// The part of a grid that a walk needs to begin with another value: the two settings from there on.
Path beginning_at(double value, const Path& grid, std::string_view dial);

}  // namespace trellis
