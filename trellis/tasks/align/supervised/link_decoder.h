// The best links of a sentence pair under weights: the maximum of the structure. That of quadratic
// shapes is searched for up to a limit; where the limit ends the search, the links found so far
// come with a bound on the score of the best.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/structure/matchings/fertility_matching.h"
#include "trellis/structure/matchings/quadratic_matching.h"
#include "trellis/tasks/align/supervised/link_parts.h"

namespace trellis::align {

// Subproblems in the search for the best links of a pair (solve/quadratic/quadratic_search.h).
inline constexpr Index kSearchLimit = 10'000;

// Links, and their score. No alignment, but those before it among the k best, scores above `upper`.
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

  // The weights must outlive it. `offset` is added to the score of each link.
  LinkDecoder(const LinkShape& shape, std::span<const double> w, double offset,
              Index search_limit = kSearchLimit)
      : shape_(shape), w_(w), offset_(offset), search_limit_(search_limit) {}

  Index search_limit() const { return search_limit_; }
  // The scores of all parts, which live in the scratch.
  std::span<const double> scores(const LinkParts& parts, Scratch& scratch) const;
  void decode(const LinkParts& parts, Scratch& scratch, RankedLinks& found) const;
  // Under scores of the caller's.
  void decode_scores(const LinkParts& parts, std::span<const double> s, Scratch& scratch,
                     RankedLinks& found) const;
  // Of k alignments the best, best first; fewer where there are no more.
  void k_best(const LinkParts& parts, Index k, Scratch& scratch,
              std::vector<RankedLinks>& found) const;

 private:
  LinkShape shape_;
  std::span<const double> w_;
  double offset_;
  Index search_limit_;
};

}  // namespace trellis::align
