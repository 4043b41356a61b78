#include "trellis/tasks/match/graph_model.h"

#include "trellis/tasks/match/match_scores.h"

namespace trellis::match {

std::vector<double> hamming_costs(const MatchExample& example) {
  const double share = 1 / static_cast<double>(example.smaller_side());
  std::vector<Label> truth;
  for_each_mate(example, example.gold, [&](Index, Label mate) { truth.push_back(mate); });
  const bool by_left = example.num_left <= example.num_right;
  std::vector<double> costs(example.features.num_edges(), 0.0);
  const auto set = [&](Index e, Index i, Index j) {
    const Label mate = truth[by_left ? i : j];
    if (mate == kNoLabel) {
      costs[e] = share;
    } else if (static_cast<Index>(mate) == (by_left ? j : i)) {
      costs[e] = -share;
    }
  };
  if (example.edges == nullptr) {
    for (Index e = 0; e < costs.size(); ++e) {
      set(e, e / example.num_right, e % example.num_right);
    }
    return costs;
  }
  const BipartiteGraph graph = example.edges->graph();
  for (Index i = 0; i < graph.rows; ++i) {
    for (Index e = graph.begin[i]; e < graph.begin[i + 1]; ++e) set(e, i, graph.column[e]);
  }
  return costs;
}

}  // namespace trellis::match
