// How good weights are on pairs whose links are known, for each of several offsets: what is added
// to the score of every link trades precision for recall, and is chosen by AER on what was held
// out, as thresholds of posteriors are.
//
// A tally has, offset after offset, the links found, the sure ones, and the found ones that are
// sure and possible; tallies of parts of the data add up.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/align/metrics/alignment_scores.h"
#include "trellis/tasks/align/supervised/link_decoder.h"
#include "trellis/tasks/align/supervised/link_model.h"

namespace trellis::align {

// Offsets to choose from; the margin is that of links which cost 1.
std::vector<double> standard_offsets();

class LinkJudge {
 public:
  LinkJudge(const LinkShape& shape, std::vector<double> offsets, Index search_limit = kSearchLimit)
      : shape_(shape), offsets_(std::move(offsets)), search_limit_(search_limit) {}

  std::span<const double> offsets() const { return offsets_; }
  // Of the chosen examples; none: of all.
  std::vector<double> tally(std::span<const LinkExample> examples, std::span<const Index> chosen,
                            std::span<const double> w, int threads) const;
  AlignmentCounts counts(std::span<const double> tally, Index offset) const;
  // Which offset has the least AER; of equally good ones the one nearest to 0.
  Index best(std::span<const double> tally) const;

 private:
  LinkShape shape_;
  std::vector<double> offsets_;
  Index search_limit_;
};

}  // namespace trellis::align
