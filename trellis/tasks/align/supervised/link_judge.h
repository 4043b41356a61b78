// Scores of weights on pairs with gold links, for each of several offsets. The offset is added to
// the score of every link and trades precision for recall. Like a threshold of posteriors, it is
// chosen by AER on held-out pairs.
//
// A tally has for each offset the number of found links, of sure links, and of found links that are
// sure and possible; tallies of parts of the data add up.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/supervised/link_decoder.h"
#include "trellis/tasks/align/supervised/link_model.h"

namespace trellis::align {

// Candidate offsets; the margin is that of links with cost 1.
std::vector<double> standard_offsets();

class LinkJudge {
 public:
  LinkJudge(const LinkShape& shape, std::vector<double> offsets, Index search_limit = kSearchLimit)
      : shape_(shape), offsets_(std::move(offsets)), search_limit_(search_limit) {}

  std::span<const double> offsets() const { return offsets_; }
  // Over the chosen examples; none chosen: over all.
  std::vector<double> tally(std::span<const LinkExample> examples, std::span<const Index> chosen,
                            std::span<const double> w, int threads) const;
  AlignmentCounts counts(std::span<const double> tally, Index offset) const;
  // The offset with the least AER; ties go to the one nearest to 0.
  Index best(std::span<const double> tally) const;

 private:
  LinkShape shape_;
  std::vector<double> offsets_;
  Index search_limit_;
};

}  // namespace trellis::align
