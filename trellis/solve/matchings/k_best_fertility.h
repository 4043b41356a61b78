// The k best link sets of fertility_flow.h, best first, by the partition of Lawler (1972; Murty
// 1968 for assignments): the sets other than the best of a family are those that agree with it on
// the edges before t and not on edge t, for one t. The best of each such family is one cycle of the
// residual network away from the best of all (Hamacher 1995), so it takes one search.
//
// Time: up to k·E searches for E edges, which end as soon as what they could find is not among the
// k best. Memory: k link sets, with prices. Scores are rounded once (exact_sum.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/matchings/fertility_flow.h"
#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class KBestFertility {
 public:
  struct Result {
    std::vector<std::uint32_t> edges;  // that it has, ascending
    double score = 0;
  };

  // All link sets there are, where these are fewer than k. The first is that of FertilityFlow.
  void solve(const FertilityProblem& problem, Index k, std::vector<Result>& best);

 private:
  // One of the k best.
  struct Found {
    std::vector<std::uint8_t> taken;
    std::vector<double> prices;
    ExactSum sum;
    double score = 0;
    Index first_free = 0;  // its family has the edges before this one in common
  };
  // The best of a family: it differs from one that was found by an exchange.
  struct Candidate {
    double score;
    Index parent;
    Index edge;
  };

  void keep(Index first_free);
  void take_next(const FertilityProblem& problem);
  void branch(const FertilityProblem& problem, Index parent, Index wanted);

  FertilityFlow flow_;
  double slack_ = 0;          // what rounding may do to a limit
  std::vector<Found> found_;  // the first num_found_ count; the others are memory
  Index num_found_ = 0;
  std::vector<Candidate> queue_;  // best first; of equally good ones the older
};

}  // namespace trellis
