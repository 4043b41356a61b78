// The best links of a sentence pair for given weights: the maximum of the structure. For quadratic
// shapes this is a search with a limit; if the limit ends the search, the links found so far come
// with an upper bound on the best score.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/tasks/align/supervised/link_parts.h"

namespace trellis::align {

// Subproblems of the search for the best links of a pair (solve/quadratic/quadratic_search.h).
inline constexpr Index kSearchLimit = 10'000;

// Links and their score. No alignment scores above `upper`, except those before it in the k best.
struct RankedLinks {
  Links links;
  double score = 0;
  double upper = 0;

  bool proven() const { return upper <= score; }
};

class LinkDecoder {
 public:
  struct Scratch {
    FertilityMatching::Scratch matching;
    QuadraticMatching::Scratch quadratic;
    std::vector<double> scores;
    std::vector<std::uint32_t> output;
    std::vector<ScoredOutput<std::vector<std::uint32_t>>> best;
  };

  // The weights must outlive the object. `offset` is added to the score of each link.
  LinkDecoder(const LinkShape& shape, std::span<const double> w, double offset,
              Index search_limit = kSearchLimit)
      : shape_(shape), w_(w), offset_(offset), search_limit_(search_limit) {}

  Index search_limit() const { return search_limit_; }
  // The scores of all parts; they are stored in the scratch.
  std::span<const double> scores(const LinkParts& parts, Scratch& scratch) const;
  void decode(const LinkParts& parts, Scratch& scratch, RankedLinks& found) const;
  // The same for given scores.
  void decode_scores(const LinkParts& parts, std::span<const double> s, Scratch& scratch,
                     RankedLinks& found) const;
  // The k best alignments, best first; fewer if there are fewer.
  void k_best(const LinkParts& parts, Index k, Scratch& scratch,
              std::vector<RankedLinks>& found) const;

 private:
  LinkShape shape_;
  std::span<const double> w_;
  double offset_;
  Index search_limit_;
};

}  // namespace trellis::align
