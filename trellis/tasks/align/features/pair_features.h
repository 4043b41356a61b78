// Features of two neighbouring links (thesis section 3.4.1.3; Lacoste-Julien, Taskar, Klein &
// Jordan 2006, section 4.3), all ≥ 0: neighbours make each other more probable. The patterns are
//
//   monotone      (i, j), (i + 1, j + 1)
//   inverted      (i, j + 1), (i + 1, j)
//   same_source   (i, j), (i, j + 1)
//   same_target   (i, j), (i + 1, j)
//
// Features of the other patterns are 0. The features are the share of such links of these words in
// the text, the probabilities of both links, and the aligners that have both.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/quadratic/edge_pair.h"
#include "trellis/tasks/align/features/candidates.h"
#include "trellis/tasks/align/features/pair_evidence.h"
#include "trellis/tasks/align/model/text_statistics.h"

namespace trellis::align {

class PairFeatures {
 public:
  explicit PairFeatures(const std::vector<std::string>& externals);

  const std::vector<std::string>& names() const { return names_; }
  // Finds all pairs of edges with these patterns, ascending.
  static void find(const PairEvidence& evidence, const Candidates& candidates,
                   std::vector<EdgePair>& pairs);
  // Fills rows of names().size() values for each pair; they must be zero before.
  void fill(const PairEvidence& evidence, const Candidates& candidates,
            const TextStatistics& statistics, std::span<const EdgePair> pairs,
            std::span<float> rows) const;

 private:
  struct Cell;
  template <class Sink>
  void tell(const Cell& cell, Sink& sink) const;

  std::vector<std::string> externals_;  // names of feature groups
  std::vector<std::string> names_;
};

}  // namespace trellis::align
