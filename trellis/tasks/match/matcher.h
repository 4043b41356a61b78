// Prediction: the best matching of a graph for a model's weights, the k best, and the probability
// of each edge. Const and thread-safe for distinct scratch.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/matchings/covering_matching.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/match_scores.h"

namespace trellis::match {

class Matcher {
 public:
  struct Scratch {
    std::vector<double> scores;
    Matching::Scratch matching;
    CoveringMatching::Scratch sums;
  };

  // The weights must outlive the matcher.
  Matcher(Cover cover, std::span<const double> w) : cover_(cover), w_(w) {}
  explicit Matcher(const MatchModel& model) : Matcher(model.features().cover(), model.weights()) {}

  // s_e of every edge, stored in the scratch.
  std::span<const double> scores(const MatchExample& example, Scratch& scratch) const;
  // Returns the score of the best matching.
  double match(const MatchExample& example, Scratch& scratch, Matching::Output& found) const;
  void k_best(const MatchExample& example, Index k, Scratch& scratch,
              std::vector<ScoredOutput<Matching::Output>>& best) const;
  // The probability of each edge under exp(score)/Z; returns log Z. Throws UsageError if sums are
  // not possible: for partial matchings, and for sides of more than 24 nodes.
  double marginals(const MatchExample& example, Scratch& scratch,
                   std::span<double> probabilities) const;

 private:
  Cover cover_;
  std::span<const double> w_;
};

// Throws UsageError if there are no sums over such matchings.
void require_sums(Cover cover);

// The number of the edge between two nodes; the graph must have it.
Index edge_between(const MatchExample& example, Index left, Index right);

// Matches each of the examples, or those whose numbers are `chosen`, on `threads` threads.
std::vector<Matching::Output> match_all(const Matcher& matcher,
                                        std::span<const MatchExample> examples, int threads,
                                        std::span<const Index> chosen = {});
// Evaluates on the examples, or on those with the numbers `chosen`.
MatchScores evaluate(const Matcher& matcher, std::span<const MatchExample> examples, int threads,
                     std::span<const Index> chosen = {});

}  // namespace trellis::match
