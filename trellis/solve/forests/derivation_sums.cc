#include "trellis/solve/forests/derivation_sums.h"

#include <algorithm>
#include <cassert>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {
namespace {

template <class Value>
void grow(std::vector<Value>& table, Index size) {
  if (table.size() < size) table.resize(size);
}

Index most_edges_of_a_node(const PackedForest& forest) {
  Index most = 0;
  for (Index v = 0; v < forest.num_nodes(); ++v) {
    most = std::max(most, forest.end(v) - forest.begin(v));
  }
  return most;
}

}  // namespace

// log Z; the weights of edges where they are wanted.
double DerivationSums::fill(const PackedForest& forest, std::span<const double> s,
                            double* weights) {
  assert(s.size() == forest.num_parts());
  const Index nodes = forest.num_nodes();
  if (nodes == 0) return -kInfinity;
  const Index at_once = kEdgesAtOnce + most_edges_of_a_node(forest);
  grow(sums_, nodes + 1);
  grow(totals_, nodes);
  grow(exponents_, at_once);
  grow(tail_masses_, at_once);
  sums_[0] = {0, 1};
  sum_inside(forest, s.data(),
             {sums_.data(), totals_.data(), weights, exponents_.data(), tail_masses_.data()});
  const InsideSum& goal = sums_[nodes];
  return goal.mass == 0 ? -kInfinity : goal.shift + portable_log(goal.mass);
}

// The chances of nodes, and those of their edges in place of the weights. choose(v, P(v)) is called
// for each node that has a chance, before its edges' weights are gone. Requires a derivation.
template <class Choose>
void DerivationSums::go_down(const PackedForest& forest, double* weights, const Choose& choose) {
  const PackedForest::Slots* slots = forest.slots().data();
  grow(chances_, forest.num_nodes() + 1);
  double* chances = chances_.data();
  std::fill_n(chances, forest.num_nodes(), 0.0);
  chances[forest.num_nodes()] = 1;
  for (Index v = forest.num_nodes(); v-- > 0;) {
    const Index begin = forest.begin(v), end = forest.end(v);
    const double chance = chances[v + 1];
    if (chance == 0) {
      std::fill(weights + begin, weights + end, 0.0);
      continue;
    }
    choose(v, chance);
    const double scale = chance / totals_[v];
    for (Index e = begin; e < end; ++e) {
      const double share = weights[e] * scale;
      weights[e] = share;
      chances[slots[e].left] += share;
      chances[slots[e].right] += share;
    }
  }
}

double DerivationSums::log_sum(const PackedForest& forest, std::span<const double> s) {
  return fill(forest, s, nullptr);
}

double DerivationSums::log_sum(const PackedForest& forest, std::span<const double> s,
                               std::span<double> marginals) {
  assert(marginals.size() == s.size());
  const Index nodes = forest.num_nodes();
  const double value = fill(forest, s, marginals.data() + nodes);
  if (value == -kInfinity) {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    return value;
  }
  go_down(forest, marginals.data() + nodes, [](Index, double) {});
  std::copy_n(chances_.begin() + 1, nodes, marginals.begin());
  return value;
}

double DerivationSums::entropy(const PackedForest& forest, std::span<const double> s) {
  grow(weights_, forest.num_edges());
  if (fill(forest, s, weights_.data()) == -kInfinity) return 0;
  double entropy = 0;
  go_down(forest, weights_.data(), [&](Index v, double chance) {
    const Index begin = forest.begin(v), count = forest.end(v) - begin;
    if (count == 1) return;
    std::copy_n(weights_.data() + begin, count, exponents_.data());
    entropy += chance * entropy_of_weights({exponents_.data(), count});
  });
  return entropy;
}

// A uniform number for each node that has a choice.
bool DerivationSums::draw(const PackedForest& forest, std::span<const double> s, Random& random,
                          std::vector<std::uint32_t>& edges) {
  edges.clear();
  grow(weights_, forest.num_edges());
  if (fill(forest, s, weights_.data()) == -kInfinity) return false;
  open_.assign(1, static_cast<std::uint32_t>(forest.num_nodes() - 1));
  while (!open_.empty()) {
    const std::uint32_t v = open_.back();
    open_.pop_back();
    const Index begin = forest.begin(v), count = forest.end(v) - begin;
    const Index choice =
        count == 1 ? 0 : trellis::draw({weights_.data() + begin, count}, totals_[v], random);
    edges.push_back(static_cast<std::uint32_t>(begin + choice));
    const auto [left, right] = forest.tails(edges.back());
    if (right != kNoNode) open_.push_back(right);
    if (left != kNoNode) open_.push_back(left);
  }
  return true;
}

}  // namespace trellis
