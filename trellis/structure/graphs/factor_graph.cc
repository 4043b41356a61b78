#include "trellis/structure/graphs/factor_graph.h"

#include <cassert>

#include "trellis/solve/factors/local_polytope.h"

namespace trellis {

void FactorGraph::indicator(const Output& y, std::span<double> z) const {
  assert(legal(y) && z.size() == num_parts());
  layout_->indicator(y, z);
}

double FactorGraph::score(std::span<const double> s, const Output& y) const {
  assert(legal(y) && s.size() == num_parts());
  return layout_->score(s, y);
}

double FactorGraph::maximize(std::span<const double> s, Scratch& scratch, Output& y) const {
  return search_within(MapLimits::kNone, s, scratch, y).value;
}

MaximumBounds FactorGraph::search_within(Index most_runs, std::span<const double> s,
                                         Scratch& scratch, Output& y) const {
  scratch.result = scratch.search.solve(*layout_, s, {}, y, {.runs = most_runs});
  return {scratch.result.value, scratch.result.upper};
}

void FactorGraph::k_best(std::span<const double> s, Index k, Scratch& scratch,
                         std::vector<ScoredOutput<Output>>& best) const {
  scratch.k_best.solve(*layout_, s, k, scratch.search, scratch.best);
  best.resize(scratch.best.size());
  for (Index i = 0; i < best.size(); ++i) {
    best[i].output = scratch.best[i].values;
    best[i].score = scratch.best[i].score;
  }
}

LinearProgram FactorGraph::linear_program() const {
  return local_polytope(*layout_);
}

}  // namespace trellis
