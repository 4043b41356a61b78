// The settings of a path in the order of their evaluation, from strong to weak.
//
// All settings of a list are evaluated. An automatic choice (`--c auto`) ends behind its peak,
// since weak regularisation takes the longest and promises the least. If the best value is the
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
  // The walk ends after a metric that is below the best one by more than this. The best one is that
  // of this walk and of `best_before`.
  double hopeless = kInfinity;
  double best_before = -kInfinity;
};

class Walk {
 public:
  // `dial`: the hyperparameter with automatic values along the path; empty: the path is a list.
  // `behind`: the walk ends after this many settings worse than the best.
  explicit Walk(Path path, std::string dial = {}, Index behind = 2, WalkLimits limits = {});

  // The number of the setting to evaluate next; empty: the walk is over.
  std::optional<Index> next();
  // Takes the metric of that setting, and its work. Higher metrics are better; NaN is never the
  // best.
  void judge(double figure, double work = 0);

  // In the order of evaluation.
  const std::vector<LearnerChoice>& settings() const { return path_; }
  // Whether a setting may start from the result of the one before, which is the next stronger one.
  bool follows(Index k) const { return k > 0 && (first_stronger_ == 0 || k < first_stronger_); }

  // The numbers of the evaluated settings, from strong to weak.
  std::vector<Index> order() const;
  // Their values, in that order.
  std::vector<double> values() const;
  // Metrics are noisy and change slowly along a path, so a peak without neighbours is noise: the
  // metric at a place of that order, averaged with half of the better neighbour's.
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
  double ratio_ = 1;             // of neighbouring values, weak / strong
  std::vector<double> figures_;  // in the order of evaluation
  Index best_ = 0;               // index into figures_
  double work_ = 0;
  double next_work_;
  bool hopeless_ = false;
  bool out_of_work_ = false;
  Index planned_;             // number of settings in the grid
  Index first_stronger_ = 0;  // first setting beyond the strong end; 0: there is none
  bool weaker_ = true;        // the walk still goes towards weaker settings
};

// The path of a walk that begins with another value of a grid's hyperparameter: two settings, whose
// ratio is that of the first two of the grid.
Path beginning_at(double value, const Path& grid, std::string_view name);

}  // namespace trellis
