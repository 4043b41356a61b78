#include "trellis/solve/arborescences/projective_arborescence.h"

#include <cassert>

namespace trellis {

bool ProjectiveArborescence::solve(const ArcGraph& graph, std::span<const double> scores,
                                   Roots roots, std::span<std::uint32_t> arcs) {
  assert(scores.size() == graph.head.size() && arcs.size() == graph.words);
  spans_.reset(graph.words, roots);
  for (Index m = 1; m <= graph.words; ++m) {
    for (Index a = graph.begin[m - 1]; a < graph.begin[m]; ++a) {
      double& arc = spans_.arc(graph.head[a], m);
      arc = std::max(arc, scores[a]);
    }
  }
  if (spans_.fill(BestSpans{}) == -kInfinity) return false;
  spans_.descend(open_, first_best, [&](Index head, Index modifier) {
    Index a = graph.begin[modifier - 1];
    while (graph.head[a] != head || scores[a] != spans_.arc(head, modifier)) ++a;
    arcs[modifier - 1] = static_cast<std::uint32_t>(a);
  });
  return true;
}

}  // namespace trellis
