// Chooses the threshold θ that is best on sentence pairs with gold links; a link is kept if its
// probability is θ or more.
//
// One sweep over the links by decreasing probability; links of equal probability enter together,
// because no threshold separates them. θ lies half-way between the smallest kept probability and
// the largest dropped one (or is 0 if all links are kept), which suits other pairs best. Ties go to
// the highest threshold. To keep nothing is no candidate: it is never better.
//
// O(n log n) for n scored links.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/data/links.h"
#include "trellis/formats/links/gold_links.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"

namespace trellis::align {

// The criterion for the choice of a threshold.
struct ThresholdAim {
  enum class Kind {
    kAer,     // the least AER
    kF,       // the greatest F_β
    kRecall,  // the greatest precision with at least a given recall
  };
  Kind kind = Kind::kAer;
  double beta = 1;
  double recall = 0;

  // Parses "aer", "f1" (or any other β > 0: "f0.5"), "recall:0.9". Throws UsageError.
  static ThresholdAim parse(std::string_view text);
  std::string to_string() const;
};

struct ThresholdChoice {
  double threshold = 0.5;  // 0.5 if no link has a probability
  AlignmentCounts counts;  // at that threshold
  bool reached = true;     // false: no threshold reaches the requested recall
};

// The scored links of each pair, each link once, and its gold links; both lists have one entry per
// pair. Probabilities must not be NaN.
ThresholdChoice choose_threshold(std::span<const std::vector<ScoredLink>> scored,
                                 std::span<const GoldLinks> gold, const ThresholdAim& aim = {});

}  // namespace trellis::align
