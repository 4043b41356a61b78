// Which links to keep of those that have a probability: the threshold θ that is best on sentence
// pairs whose links are known, keeping a link where its probability is θ or more.
//
// One sweep over the links by falling probability; links of equal probability come in together, for
// no threshold tells them apart. θ lies half-way between the smallest probability that is kept and
// the largest that is not (or 0 where all are kept), so that it does as well as can be on other
// pairs. Of thresholds that are equally good, the highest. Keeping nothing is not tried: it is
// never better.
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

// What a threshold is to be good for.
struct ThresholdAim {
  enum class Kind {
    kAer,     // the least AER
    kF,       // the greatest F_β
    kRecall,  // the greatest precision with at least that recall
  };
  Kind kind = Kind::kAer;
  double beta = 1;
  double recall = 0;

  // "aer", "f1" (or any other β > 0: "f0.5"), "recall:0.9". Throws UsageError.
  static ThresholdAim parse(std::string_view text);
  std::string to_string() const;
};

struct ThresholdChoice {
  double threshold = 0.5;  // 0.5 where no link has a probability
  AlignmentCounts counts;  // with that threshold
  bool reached = true;     // the recall asked for; if not, no threshold has more
};

// The scored links of each pair, each link once, and its gold links; both are equally many.
// Probabilities are no NaN.
ThresholdChoice choose_threshold(std::span<const std::vector<ScoredLink>> scored,
                                 std::span<const GoldLinks> gold, const ThresholdAim& aim = {});

}  // namespace trellis::align
