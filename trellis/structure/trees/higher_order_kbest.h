// The k best labelled trees of HigherOrderTree, best first, by two nested partitions:
//
//   trees   by Lawler (1972), as in k_best_arborescences.h: the trees of a family other than its
//           best agree with the best on the heads of words 1 … t − 1 and differ on word t, for one
//           t; the best of each such subfamily is a separate search (map_search.h)
//   labels  do not depend on other arcs: the best labellings of a tree are the largest sums of one
//           label per word
//
// All labellings of a tree are candidates as soon as it is found, so that a family is searched only
// for scores above the k-th candidate: most of these searches end with their first bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/map_search.h"
#include "trellis/structure/trees/arc_pair_graph.h"
#include "trellis/structure/trees/dependency_arcs.h"
#include "trellis/structure/trees/label_fold.h"

namespace trellis {

// Reuses its memory in repeated calls; use one object per thread.
class HigherOrderKBest {
 public:
  struct Result {
    std::vector<std::uint32_t> tree;  // the arc of word m at [m − 1]
    double score = 0;
    bool proven = true;  // no tree but those before it scores more
  };

  // All trees if there are fewer than k. Searches stop at the limits of HigherOrderSearch, each by
  // itself, and all together at kMostSearches times these limits.
  void solve(const DependencyArcs& arcs, const ArcPairGraph& graph, std::span<const double> s,
             Index k, Index most_runs, std::vector<Result>& best);

  static constexpr Index kMostSearches = 16;

 private:
  // Trees in which words 1 … settled have the same heads as in the best of them, and the head of
  // the next word is not in `refused`. Heads are groups of parallel arcs.
  struct Family {
    Index settled = 0;
    std::vector<std::uint32_t> refused;
    std::vector<std::uint32_t> groups;  // of the best tree, by word
    double score = 0;
  };
  struct Candidate {
    double score = 0;
    Index number = 0;  // in order of creation: breaks ties
    std::vector<std::uint32_t> tree;
  };
  // One label for each word so far.
  struct Labelling {
    double loss = 0;           // the difference to the best labels
    std::uint32_t before = 0;  // the labelling of the words before
    std::uint32_t part = 0;    // this word's arc
  };

  static bool worse(const Family& a, const Family& b) { return a.score < b.score; }
  static bool better(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  }

  void search(const LabelFold& fold, const Family* parent, Family family);
  void require(const Family* parent, const Family& family);
  void divide(const LabelFold& fold, const Family& parent);
  void add_labellings(const LabelFold& fold, const Family& family);
  void extend_labellings(const LabelFold& fold, std::span<const Labelling> before,
                         std::uint32_t group, double most_loss, std::vector<Labelling>& after);
  void add_candidate(Candidate candidate);
  // The score that a tree must exceed: that of the k-th candidate.
  double least() const { return candidates_.size() == k_ ? candidates_.front().score : -kInfinity; }

  Index k_ = 0;
  std::span<const double> s_;
  MapLimits limits_;  // of one search
  Index iterations_left_ = 0;
  double unknown_ = -kInfinity;  // trees that searches given up have missed score no more
  MapSearch search_;
  std::vector<double> folded_;
  std::vector<std::uint32_t> best_label_;
  std::vector<std::uint32_t> first_group_;  // of each word, and the end
  std::vector<Family> families_;            // a heap, the best in front
  std::vector<Candidate> candidates_;       // a heap, the worst in front
  Index num_candidates_ = 0;
  std::vector<Literal> required_;
  std::vector<std::uint32_t> values_;
  std::vector<std::vector<Labelling>> labellings_;  // by word
  std::vector<std::uint32_t> sorted_;               // labels of a group
};

}  // namespace trellis
