// The settings of a path in the order of their evaluation, from strong to weak.
//
// All settings of a list are evaluated. An automatic choice (`--c auto`) ends behind its peak,
// since weak regularisation takes the longest and promises the least. If the best value is the
// first or the last one, the walk continues beyond the grid.
//
//   Walk walk(path, "c");
//   while (const auto k = walk.next()) walk.judge(figure_of(walk.settings()[*k]));
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/search.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

class Walk {
 public:
  // `dial`: the hyperparameter with automatic values along the path; empty: the path is a list.
  // `behind`: the walk ends after this many settings worse than the best.
  explicit Walk(Path path, std::string dial = {}, Index behind = 2);

  // The number of the setting to evaluate next; empty: the walk is over.
  std::optional<Index> next();
  // Takes the metric of that setting; higher is better, NaN is never the best.
  void judge(double figure);

  // In the order of evaluation.
  const std::vector<LearnerChoice>& settings() const { return path_; }
  // Whether a setting may start from the result of the one before, which is the next stronger one.
  bool follows(Index k) const { return k > 0 && (first_stronger_ == 0 || k < first_stronger_); }
  // The evaluated values, from strong to weak.
  std::vector<double> values() const;

 private:
  bool extend(double value);
  double value(Index k) const;

  Path path_;
  std::string dial_;
  Index behind_;
  double ratio_ = 1;  // of neighbouring values, weak / strong
  Index tried_ = 0;
  Index best_ = 0;
  double best_figure_ = kUnknown;
  Index planned_;             // number of settings in the grid
  Index first_stronger_ = 0;  // first setting beyond the strong end; 0: there is none
  bool weaker_ = true;        // the walk still goes towards weaker settings
};

}  // namespace trellis
