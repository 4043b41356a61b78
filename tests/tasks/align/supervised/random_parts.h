// Small sentence pairs with random features and links, for tests of what learns from links.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/tasks/align/supervised/link_model.h"

namespace trellis::align::testing {

inline FeatureRows random_rows(Index rows, Index width, bool nonnegative, Random& random) {
  std::vector<float> values(rows * width);
  for (float& value : values) {
    value = static_cast<float>(nonnegative ? random.uniform() : random.normal());
  }
  return FeatureRows::dense(width, std::move(values));
}

inline WeightLayout small_layout(const LinkShape& shape) {
  return {3, 2, 2, shape.quadratic ? Index{2} : Index{0}, shape.most_links};
}

inline LinkGraph random_graph(Index num_source, Index num_target, Random& random) {
  LinkGraph graph;
  graph.num_source = num_source;
  graph.num_target = num_target;
  for (std::uint32_t i = 0; i < num_source; ++i) {
    for (std::uint32_t j = 0; j < num_target; ++j) {
      if (random.below(4) > 0) graph.edges.push_back({i, j});
    }
  }
  const Index edges = graph.edges.size();
  graph.links = random_rows(edges, 3, false, random);
  FeatureRowsBuilder identities(2, false, edges);
  for (Index e = 0; e < edges; ++e) {
    identities.begin_row();
    if (random.below(2) == 0) identities.add(random.below(2), 1);
  }
  graph.identities = std::move(identities).finish();
  graph.source_words = random_rows(num_source, 2, true, random);
  graph.target_words = random_rows(num_target, 2, true, random);
  for (std::uint32_t a = 0; a < edges; ++a) {
    for (std::uint32_t b = a + 1; b < edges; ++b) {
      const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
      if (apart(graph.edges[a].left, graph.edges[b].left) <= 1 &&
          apart(graph.edges[a].right, graph.edges[b].right) <= 1) {
        graph.pairs.push_back({a, b});
      }
    }
  }
  graph.pair_rows = random_rows(graph.pairs.size(), 2, true, random);
  return graph;
}

inline GoldLinks random_gold(const LinkGraph& graph, Random& random) {
  GoldLinks gold;
  for (const auto& edge : graph.edges) {
    const Index kind = random.below(3);
    if (kind == 0) gold.sure.push_back({edge.left, edge.right});
    if (kind <= 1) gold.possible.push_back({edge.left, edge.right});
  }
  return gold;
}

inline LinkExample random_example(const LinkShape& shape, Random& random, LeftOut& left_out) {
  LinkGraph graph = random_graph(2 + random.below(2), 2 + random.below(2), random);
  LinkExample example;
  example.gold = random_gold(graph, random);
  const std::vector<double> preference(graph.edges.size(), 0.0);
  example.parts = link_parts(std::move(graph), small_layout(shape));
  choose_output(shape, preference, example, left_out);
  return example;
}

// Weights that keep to their signs.
inline std::vector<double> random_weights(const WeightLayout& layout, Random& random) {
  std::vector<double> w(layout.dimension());
  for (double& weight : w) weight = random.normal();
  for (const WeightRange& range : layout.nonnegative()) {
    for (Index k = range.begin; k < range.end; ++k) w[k] = std::abs(w[k]);
  }
  return w;
}

inline const std::vector<LinkShape>& all_shapes() {
  static const std::vector<LinkShape> shapes = {
      {1, false}, {2, false}, {3, false}, {1, true}, {2, true}};
  return shapes;
}

}  // namespace trellis::align::testing
