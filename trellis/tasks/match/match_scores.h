// Scores of matchings. They count the nodes of the smaller side of each graph (the left side if
// both are equally large): a node is right if it has its true partner, or rightly has none.
//
//   Hamming error   the share of wrong nodes, over all graphs together, in percent
//   mean error      the mean over graphs of the share in each graph
//   exact           the share of graphs without a mistake
#pragma once

#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/match/match_data.h"

namespace trellis::match {

// Calls visit(u, v) for each node u of the smaller side and its partner v in y, or kNoLabel.
template <class Visit>
void for_each_mate(const MatchExample& example, const Matching::Output& y, const Visit& visit) {
  if (example.num_left <= example.num_right) {
    for (Index i = 0; i < y.size(); ++i) visit(i, y[i]);
    return;
  }
  std::vector<Label> mates(example.num_right, kNoLabel);
  for (Index i = 0; i < y.size(); ++i) {
    if (y[i] != kNoLabel) mates[static_cast<Index>(y[i])] = static_cast<Label>(i);
  }
  for (Index j = 0; j < mates.size(); ++j) visit(j, mates[j]);
}

class MatchScores {
 public:
  struct Graph {
    std::string name;
    Index nodes = 0;
    Index wrong = 0;

    double error() const;  // in percent
  };

  // Requires an example with a known truth.
  void add(const MatchExample& example, const Matching::Output& found);

  const std::vector<Graph>& graphs() const { return graphs_; }
  Index nodes() const { return nodes_; }
  Index wrong() const { return wrong_; }
  double hamming() const;
  double mean_error() const;
  double exact() const;

  // Keys hamming mean_error exact graphs nodes wrong per_graph.
  Value record() const;
  std::string to_text(bool per_graph) const;

 private:
  std::vector<Graph> graphs_;
  Index nodes_ = 0;
  Index wrong_ = 0;
};

}  // namespace trellis::match
