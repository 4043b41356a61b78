#include "trellis/solve/arborescences/maximum_arborescence.h"

#include <cassert>

#include "trellis/solve/vectors/exact_sum.h"

namespace trellis {

double tree_score(std::span<const double> scores, std::span<const std::uint32_t> arcs) {
  ExactSum sum;
  for (const std::uint32_t a : arcs) sum.add(scores[a]);
  return sum.value();
}

bool MaximumArborescence::solve(const ArcGraph& graph, std::span<const double> scores, Roots roots,
                                std::span<std::uint32_t> arcs) {
  assert(scores.size() == graph.head.size() && arcs.size() == graph.words);
  const Index n = graph.words, width = n + 1;
  best_.assign(n * width, -kInfinity);
  arc_.resize(n * width);
  for (Index m = 0; m < n; ++m) {
    for (Index a = graph.begin[m]; a < graph.begin[m + 1]; ++a) {
      const Index place = m * width + graph.column(graph.head[a]);
      if (!(scores[a] > best_[place])) continue;
      best_[place] = scores[a];
      arc_[place] = static_cast<std::uint32_t>(a);
    }
  }
  heads_.resize(n);
  if (!dense_.solve(n, best_, roots, heads_)) return false;
  for (Index m = 0; m < n; ++m) arcs[m] = arc_[m * width + heads_[m]];
  return true;
}

}  // namespace trellis
