// The settings of a path in the order in which they are tried, from strong to weak.
//
// Those of a list are all tried. Of an automatic choice (`--c auto`) as many as it takes: the walk
// ends once it is behind its peak, since weak regularisation costs most and promises least there;
// and where the best is the first or the last value, it goes on beyond the grid.
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
  // `dial`: the one whose values are automatic, along the path; empty: the path is a list.
  // `behind`: settings worse than the best, after which it ends.
  explicit Walk(Path path, std::string dial = {}, Index behind = 2);

  // The number of the setting to be tried now; none: the walk is over.
  std::optional<Index> next();
  // The figure of that setting, higher is better; NaN is never the best.
  void judge(double figure);

  // Numbered as they are tried.
  const std::vector<LearnerChoice>& settings() const { return path_; }
  // Whether a setting may start from where the one before it ended, which is the next stronger one.
  bool follows(Index k) const { return k > 0 && (first_stronger_ == 0 || k < first_stronger_); }
  // The values that were tried, from strong to weak.
  std::vector<double> values() const;

 private:
  bool extend(double value);
  double value(Index k) const;

  Path path_;
  std::string dial_;
  Index behind_;
  double ratio_ = 1;  // of neighbours, weak by strong
  Index tried_ = 0;
  Index best_ = 0;
  double best_figure_ = kUnknown;
  Index planned_;             // settings of the grid itself
  Index first_stronger_ = 0;  // the first setting beyond the strong end; 0: there is none
  bool weaker_ = true;        // the way is still towards weaker settings
};

}  // namespace trellis
