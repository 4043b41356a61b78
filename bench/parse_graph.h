// Made-up second-order parsing problems as factor graphs: a TREE over the arcs that pruning has
// left, consecutive siblings as HEADs, grandparents and all siblings as PAIRs. Scores are those of
// a model that knows its language: arcs of a hidden tree, and pairs of them, have an advantage over
// the noise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/solve/factors/factor_graph_layout.h"

namespace trellis::bench {

struct ParseGraph {
  FactorGraphLayout layout;
  std::vector<double> scores;
};

struct ParseGraphOptions {
  Index heads = 5;            // candidates of each word
  double arc_advantage = 3;   // of an arc of the hidden tree, in standard deviations of the noise
  double pair_advantage = 1;  // of two of them
  double pair_noise = 0.5;
};

// Words hang on near ones, mostly.
inline std::uint32_t draw_head(std::uint32_t m, Index n, Random& random) {
  for (;;) {
    const auto distance = static_cast<std::int64_t>(1 + random.below(1 + random.below(n)));
    const std::int64_t h = random.below(2) == 0 ? m - distance : m + distance;
    if (h >= 0 && h <= static_cast<std::int64_t>(n)) return static_cast<std::uint32_t>(h);
  }
}

// Reached from the root: words in a random order, each under one that is there already.
inline std::vector<std::uint32_t> draw_tree(Index n, Random& random) {
  std::vector<std::uint32_t> order(n), head(n + 1, 0);
  for (std::uint32_t m = 1; m <= n; ++m) order[m - 1] = m;
  for (Index i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<bool> there(n + 1, false);
  there[order[0]] = true;
  for (Index i = 1; i < n; ++i) {
    std::uint32_t h = 0;
    Index tries = 0;
    do {
      h = ++tries < 50 ? draw_head(order[i], n, random) : order[random.below(i)];
    } while (h == 0 || !there[h]);
    head[order[i]] = h;
    there[order[i]] = true;
  }
  return head;
}

inline ParseGraph draw_parse_graph(Index n, const ParseGraphOptions& options, Random& random) {
  const std::vector<std::uint32_t> head = draw_tree(n, random);
  FactorGraphBuilder builder;
  std::vector<TreeArc> arcs;
  std::vector<bool> gold;
  for (std::uint32_t m = 1; m <= n; ++m) {
    std::vector<std::uint32_t> heads = {head[m]};
    for (Index tries = 0; heads.size() < std::min(options.heads, n) && tries < 100; ++tries) {
      const std::uint32_t h = draw_head(m, n, random);
      if (std::ranges::find(heads, h) == heads.end()) heads.push_back(h);
    }
    std::ranges::sort(heads);
    for (const std::uint32_t h : heads) {
      arcs.push_back({h, m, builder.state(builder.add_switch())});
      gold.push_back(h == head[m]);
    }
  }
  builder.add_tree(n, arcs, Roots::kOne);
  std::vector<double> own;
  const auto add_score = [&](bool is_gold) {
    own.push_back(options.pair_noise * random.normal() + (is_gold ? options.pair_advantage : 0.0));
  };
  for (Index a = 0; a < arcs.size(); ++a) {
    for (Index b = 0; b < arcs.size(); ++b) {
      const bool grandparent = arcs[a].modifier == arcs[b].head;
      const bool siblings = a < b && arcs[a].head == arcs[b].head;
      if (!grandparent && !siblings) continue;
      if (arcs[a].modifier == arcs[b].modifier || arcs[a].head == arcs[b].modifier) continue;
      builder.add_pair(arcs[a].state, arcs[b].state);
      add_score(gold[a] && gold[b]);
    }
  }
  for (std::uint32_t h = 0; h <= n; ++h) {
    for (const bool right : {false, true}) {
      std::vector<std::uint32_t> side;
      std::vector<Index> on = {0};
      for (Index a = 0; a < arcs.size(); ++a) {
        if (arcs[a].head != h || (arcs[a].modifier > h) != right) continue;
        side.push_back(arcs[a].state);
      }
      if (side.empty()) continue;
      if (!right) std::ranges::reverse(side);  // outwards from the head
      for (Index k = 0; k < side.size(); ++k) {
        if (gold[side[k]]) on.push_back(k + 1);
      }
      on.push_back(side.size() + 1);
      builder.add_head(side);
      for (Index a = 0, next = 0; a <= side.size(); ++a) {
        if (on[next] < a) ++next;
        for (Index b = a + 1; b <= side.size() + 1; ++b) {
          add_score(on[next] == a && on[next + 1] == b);
        }
      }
    }
  }
  ParseGraph graph{builder.build(), {}};
  for (Index a = 0; a < arcs.size(); ++a) {
    graph.scores.push_back(random.normal() + (gold[a] ? options.arc_advantage : 0.0));
  }
  graph.scores.insert(graph.scores.end(), own.begin(), own.end());
  return graph;
}

// Lengths as of news and web text: 5 … 60, some 12 on average.
inline Index draw_length(Random& random) {
  double length = 5;
  while (random.uniform() < 0.875 && length < 60) ++length;
  return static_cast<Index>(length);
}

}  // namespace trellis::bench
