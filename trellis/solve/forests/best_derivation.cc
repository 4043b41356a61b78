#include "trellis/solve/forests/best_derivation.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace trellis {
namespace {

// The largest s[edge] + (value(left) + value(right)) of some edges, −∞ if there are no edges. Four
// maxima at once keep the comparisons from waiting for each other.
double best_way(std::span<const PackedForest::Slots> slots, const double* scores,
                const double* values) {
  const auto way = [&](Index e) {
    return scores[e] + (values[slots[e].left] + values[slots[e].right]);
  };
  std::array<double, 4> best;
  best.fill(-kInfinity);
  Index e = 0;
  for (; e + 4 <= slots.size(); e += 4) {
    for (Index i = 0; i < 4; ++i) best[i] = std::max(best[i], way(e + i));
  }
  for (; e < slots.size(); ++e) best[0] = std::max(best[0], way(e));
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

}  // namespace

double BestDerivation::fill(const PackedForest& forest, std::span<const double> s) {
  assert(s.size() == forest.num_parts());
  const Index nodes = forest.num_nodes();
  forest_ = &forest;
  node_scores_ = s.data();
  edge_scores_ = s.data() + nodes;
  if (values_.size() < nodes + 1) values_.resize(nodes + 1);
  if (nodes == 0) return -kInfinity;
  values_[0] = 0;
  const std::span<const PackedForest::Slots> slots = forest.slots();
  for (Index v = 0; v < nodes; ++v) {
    const Index begin = forest.begin(v), count = forest.end(v) - begin;
    values_[v + 1] =
        best_way(slots.subspan(begin, count), edge_scores_ + begin, values_.data()) + s[v];
  }
  return values_[nodes];
}

double BestDerivation::value_by(Index edge, Index node) const {
  const PackedForest::Slots at = forest_->slots()[edge];
  return (edge_scores_[edge] + (values_[at.left] + values_[at.right])) + node_scores_[node];
}

std::uint32_t BestDerivation::first_best_edge(Index node) const {
  const double value = values_[node + 1];
  assert(value > -kInfinity);
  Index edge = forest_->begin(node);
  while (value_by(edge, node) != value) ++edge;
  return static_cast<std::uint32_t>(edge);
}

double BestDerivation::find(const PackedForest& forest, std::span<const double> s,
                            std::vector<std::uint32_t>& edges) {
  edges.clear();
  const double best = fill(forest, s);
  if (best == -kInfinity) return best;
  open_.assign(1, static_cast<std::uint32_t>(forest.num_nodes() - 1));
  while (!open_.empty()) {
    const std::uint32_t node = open_.back();
    open_.pop_back();
    edges.push_back(first_best_edge(node));
    const auto [left, right] = forest.tails(edges.back());
    if (right != kNoNode) open_.push_back(right);
    if (left != kNoNode) open_.push_back(left);
  }
  return best;
}

}  // namespace trellis
