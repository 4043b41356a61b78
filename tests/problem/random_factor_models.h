// Models of factor graphs with cycles: switches in a ring, pairs of neighbours with features, and a
// budget. The true assignment is drawn at random, so that no weights explain all.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/problem/block_model.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/forest_cover.h"
#include "trellis/structure/graphs/belief_factor_graph.h"
#include "trellis/structure/graphs/reweighted_factor_graph.h"

namespace trellis::testing {

struct FactorGraphs {
  std::vector<std::unique_ptr<FactorGraphLayout>> layouts;
  std::vector<std::unique_ptr<ForestCover>> covers;
};

inline FactorGraphs random_rings(Index size, Index count) {
  FactorGraphs graphs;
  for (Index i = 0; i < count; ++i) {
    FactorGraphBuilder builder;
    std::vector<Literal> states;
    for (Index k = 0; k < size; ++k) states.push_back({builder.state(builder.add_switch())});
    for (Index k = 0; k < size; ++k) {
      builder.add_pair(states[k].state, states[(k + 1) % size].state);
    }
    builder.add_budget(states, size - 1);
    graphs.layouts.push_back(std::make_unique<FactorGraphLayout>(builder.build()));
    graphs.covers.push_back(std::make_unique<ForestCover>(*graphs.layouts.back()));
  }
  return graphs;
}

inline constexpr Index kRingFeatures = 4;  // two of states, and two of pairs

template <class S, class MakeStructure>
BlockModel<S> ring_model(const FactorGraphs& graphs, const MakeStructure& structure,
                         std::uint64_t seed) {
  std::vector<BlockExample<S>> examples;
  for (Index i = 0; i < graphs.layouts.size(); ++i) {
    Random random(seed, i);
    const FactorGraphLayout& layout = *graphs.layouts[i];
    std::vector<float> features(2 * layout.num_parts());
    for (float& x : features) x = static_cast<float>(random.normal());
    BlockExample<S> example{structure(i), {}, {}, {}, 1};
    example.gold.assign(layout.num_variables(), 0);
    for (Index v = 1; v < layout.num_variables(); ++v) {
      example.gold[v] = static_cast<std::uint32_t>(random.below(2));
    }
    const auto states = static_cast<std::ptrdiff_t>(2 * layout.num_states());
    example.blocks.push_back(
        {FeatureRows::dense(2, {features.begin(), features.begin() + states}), 0, 1, 0, 1});
    example.blocks.push_back({FeatureRows::dense(2, {features.begin() + states, features.end()}),
                              layout.num_states(), 1, 2, 1});
    std::vector<double> truth(layout.num_parts());
    layout.indicator(example.gold, truth);
    example.costs.assign(layout.num_parts(), 0.0);
    for (Index state = 0; state < layout.num_states(); ++state) {
      example.costs[state] = truth[state] > 0 ? -1 : 1;
    }
    examples.push_back(std::move(example));
  }
  return {kRingFeatures, std::move(examples)};
}

inline BlockModel<BeliefFactorGraph> estimated_rings(const FactorGraphs& graphs,
                                                     std::uint64_t seed) {
  return ring_model<BeliefFactorGraph>(
      graphs, [&](Index i) { return BeliefFactorGraph(*graphs.layouts[i]); }, seed);
}
inline BlockModel<ReweightedFactorGraph> bounded_rings(const FactorGraphs& graphs,
                                                       const ReweightedOptions& options,
                                                       std::uint64_t seed) {
  return ring_model<ReweightedFactorGraph>(
      graphs, [&](Index i) { return ReweightedFactorGraph(*graphs.covers[i], options); }, seed);
}

}  // namespace trellis::testing
