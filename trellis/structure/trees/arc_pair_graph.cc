#include "trellis/structure/trees/arc_pair_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Before they are built: at most (k + 2)(k + 1) consecutive ones and k (k − 1)/2 siblings of a head
// with k modifiers, and as many grandparents as the product of its heads and its modifiers.
void refuse_too_many_pairs(const DependencyArcs& arcs) {
  std::vector<Index> modifiers(arcs.words() + 1, 0), heads(arcs.words() + 1, 0);
  for (Index g = 0; g < arcs.num_groups(); ++g) {
    ++modifiers[arcs.head(arcs.group_begin(g))];
    ++heads[arcs.modifier(arcs.group_begin(g))];
  }
  Index pairs = 0;
  for (Index h = 0; h < modifiers.size(); ++h) {
    const Index k = modifiers[h];
    pairs += (k + 2) * (k + 1) + k * k / 2 + k * heads[h];
    if (pairs <= ArcPairGraph::kMostPairs) continue;
    throw UsageError(fmt::format(
        "a sentence of {} words with {} candidate arcs has too many pairs of them: expected at "
        "most {}; a first-order parser can",
        arcs.words(), arcs.num_groups(), ArcPairGraph::kMostPairs));
  }
}

}  // namespace

ArcPairGraph::ArcPairGraph(const DependencyArcs& arcs, Roots roots, Crossing crossing,
                           const ArcPairKinds& kinds) {
  refuse_too_many_pairs(arcs);
  FactorGraphBuilder builder;
  std::vector<TreeArc> tree;
  Switches by_head(arcs.words() + 1), by_modifier(arcs.words() + 1);
  for (Index g = 0; g < arcs.num_groups(); ++g) {
    const Index p = arcs.group_begin(g);
    const TreeArc arc{arcs.head(p), arcs.modifier(p), builder.state(builder.add_switch())};
    tree.push_back(arc);
    by_head[arc.head].push_back({arc.modifier, arc.state});
    by_modifier[arc.modifier].push_back({arc.head, arc.state});
  }
  builder.add_tree(arcs.words(), tree, roots, crossing);

  // Of the root's arcs only one is on where there is one root: then there are no siblings.
  const std::uint32_t first_parent = roots == Roots::kOne ? 1 : 0;
  for (std::uint32_t h = first_parent; h < by_head.size(); ++h) {
    const std::vector<Switch>& modifiers = by_head[h];  // ascending, for the arcs are sorted
    const auto right = std::ranges::lower_bound(modifiers, h, {}, &Switch::word);
    if (kinds.consecutive) {
      const std::vector<Switch> left(std::make_reverse_iterator(right), modifiers.rend());
      add_consecutive(h, left, builder);
      add_consecutive(h, {right, modifiers.end()}, builder);
    }
    if (kinds.siblings) add_siblings(h, modifiers, builder);
  }
  if (kinds.grandparents) {
    for (std::uint32_t h = 1; h < by_head.size(); ++h) {
      add_grandparents(h, by_head[h], by_modifier[h], builder);
    }
  }
  layout_ = builder.build();
}

// In the order of FactorGraphLayout::head_part.
void ArcPairGraph::add_consecutive(std::uint32_t head, std::span<const Switch> modifiers,
                                   FactorGraphBuilder& builder) {
  if (modifiers.empty()) return;
  std::vector<std::uint32_t> states;
  for (const Switch& modifier : modifiers) states.push_back(modifier.state);
  builder.add_head(states);
  const Index k = modifiers.size();
  const auto word = [&](Index a) { return a == 0 || a > k ? kNoWord : modifiers[a - 1].word; };
  for (Index a = 0; a <= k; ++a) {
    for (Index b = a + 1; b <= k + 1; ++b) {
      pairs_.push_back({ArcPairKind::kConsecutive, head, word(a), word(b)});
    }
  }
}

void ArcPairGraph::add_siblings(std::uint32_t head, std::span<const Switch> modifiers,
                                FactorGraphBuilder& builder) {
  for (Index a = 0; a < modifiers.size(); ++a) {
    for (Index b = a + 1; b < modifiers.size(); ++b) {
      builder.add_pair(modifiers[a].state, modifiers[b].state);
      pairs_.push_back({ArcPairKind::kSiblings, head, modifiers[a].word, modifiers[b].word});
    }
  }
}

void ArcPairGraph::add_grandparents(std::uint32_t head, std::span<const Switch> modifiers,
                                    std::span<const Switch> grandparents,
                                    FactorGraphBuilder& builder) {
  for (const Switch& grandparent : grandparents) {
    for (const Switch& modifier : modifiers) {
      if (modifier.word == grandparent.word) continue;
      builder.add_pair(grandparent.state, modifier.state);
      pairs_.push_back({ArcPairKind::kGrandparent, head, grandparent.word, modifier.word});
    }
  }
}

}  // namespace trellis
