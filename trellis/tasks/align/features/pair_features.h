// Features of two links that are neighbours (thesis section 3.4.1.3; Lacoste-Julien, Taskar, Klein
// & Jordan 2006, section 4.3), all ≥ 0: a link beside another one is likelier than one by itself.
// By pattern,
//
//   monotone      (i, j), (i + 1, j + 1)
//   inverted      (i, j + 1), (i + 1, j)
//   same_source   (i, j), (i, j + 1)
//   same_target   (i, j), (i + 1, j)
//
// the others' features being 0: how often the text links these words so, how likely both links are,
// and whether other aligners have both.
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
  // All pairs of edges of these patterns, ascending.
  static void find(const PairEvidence& evidence, const Candidates& candidates,
                   std::vector<EdgePair>& pairs);
  // Rows of names().size() zeros for each pair, which it fills.
  void fill(const PairEvidence& evidence, const Candidates& candidates,
            const TextStatistics& statistics, std::span<const EdgePair> pairs,
            std::span<float> rows) const;

 private:
  struct Cell;
  template <class Sink>
  void tell(const Cell& cell, Sink& sink) const;

  std::vector<std::string> externals_;  // names of features
  std::vector<std::string> names_;
};

}  // namespace trellis::align
