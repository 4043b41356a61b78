// The k best dependency trees, best first, by the partition of Lawler (1972; Murty 1968 for
// assignments): the trees other than the best of a family are those that agree with it on the arcs
// of words 1 … t − 1 and not on that of word t, for one t. Each of these families is again a graph,
// whose first words have one arc each, and one word some fewer.
//
// Time: up to k·n arborescences of n words, but those of a word that has no other arc left. Scores
// of trees are rounded once (exact_sum.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/arborescences/arc_graph.h"
#include "trellis/solve/arborescences/dense_arborescence.h"
#include "trellis/solve/arborescences/maximum_arborescence.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class KBestArborescences {
 public:
  struct Result {
    std::vector<std::uint32_t> arcs;  // that of word m at [m − 1]
    double score = 0;
  };

  // All trees there are, where these are fewer than k. The first is that of MaximumArborescence.
  void solve(const ArcGraph& graph, std::span<const double> scores, Roots roots, Index k,
             std::vector<Result>& best);

 private:
  // The best of a family, and what makes the family.
  struct Candidate {
    double score;
    Index number;   // candidates are numbered as they come: breaks ties
    Index settled;  // words 0 … settled − 1 have the arcs that they have here
    std::vector<std::uint32_t> arcs;
    std::vector<std::uint32_t> refused;  // arcs that word `settled` must not have
  };

  static bool worse(const Candidate& a, const Candidate& b);
  Candidate spare();
  void push(Candidate candidate);
  Candidate pop();
  void branch(const ArcGraph& graph, std::span<const double> scores, Roots roots,
              const Candidate& parent);
  bool offer_others(const ArcGraph& graph, std::span<const double> scores, Index word,
                    std::span<const std::uint32_t> refused);
  void offer(Index place, Index arc, double score);

  MaximumArborescence first_;
  DenseArborescence dense_;
  Index numbered_ = 0;
  std::vector<Candidate> queue_, spares_;
  // The graph of a family: n rows of n + 1, as in MaximumArborescence.
  std::vector<double> best_;
  std::vector<std::uint32_t> arc_;
  std::vector<std::uint32_t> heads_;
};

}  // namespace trellis
