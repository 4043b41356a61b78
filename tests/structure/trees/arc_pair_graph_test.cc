#include "trellis/structure/trees/arc_pair_graph.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/structure/trees/dependency_instance.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/structure/trees/label_fold.h"

namespace trellis {
namespace {

// Whether a tree, as the head of each word at [m], has the pair.
bool tree_has(const std::vector<std::uint32_t>& head, const ArcPair& pair) {
  const auto hangs = [&](std::uint32_t m) { return head[m] == pair.head; };
  switch (pair.kind) {
    case ArcPairKind::kGrandparent:
      return head[pair.head] == pair.first && hangs(pair.second);
    case ArcPairKind::kSiblings:
      return hangs(pair.first) && hangs(pair.second);
    case ArcPairKind::kConsecutive:
      break;
  }
  if (pair.first != kNoWord && !hangs(pair.first)) return false;
  if (pair.second != kNoWord && !hangs(pair.second)) return false;
  // On the side of the word that is one, from `first` (or the head) outward to `second` (or the
  // end of the sentence) no other hangs there.
  const std::uint32_t known = pair.first != kNoWord ? pair.first : pair.second;
  const bool right = known > pair.head;
  const auto words = static_cast<std::uint32_t>(head.size() - 1);
  const std::uint32_t from = pair.first == kNoWord ? pair.head : pair.first;
  std::uint32_t to = pair.second;
  if (to == kNoWord) to = right ? words + 1 : 0;
  for (std::uint32_t m = std::min(from, to) + 1; m < std::max(from, to); ++m) {
    if (m >= 1 && m <= words && hangs(m)) return false;
  }
  return true;
}

std::vector<std::uint32_t> heads_of(const DependencyArcs& arcs,
                                    const std::vector<std::uint32_t>& tree) {
  std::vector<std::uint32_t> head = {0};
  for (const std::uint32_t p : tree) head.push_back(arcs.head(p));
  return head;
}

// A side of a head on which nothing hangs has a part of its own, without a word.
bool says_nothing(const ArcPair& pair) {
  return pair.kind == ArcPairKind::kConsecutive && pair.first == kNoWord && pair.second == kNoWord;
}

TEST(ArcPairGraph, HasThePairsThatTreesHave) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const DependencyArcs arcs = conformance::draw_arcs(1 + random.below(5), 0.8, 2, random);
    const Roots roots = random.below(2) == 0 ? Roots::kAny : Roots::kOne;
    const ArcPairGraph graph(arcs, roots, Crossing::kAllowed, {});
    ASSERT_EQ(graph.pairs().size(), graph.num_pairs());
    const LabelFold fold(arcs, graph);
    std::vector<std::uint32_t> values;
    std::vector<double> z(graph.layout().num_parts());
    for (const std::vector<std::uint32_t>& tree : conformance::all_trees(arcs, roots)) {
      fold.assign(tree, values);
      ASSERT_TRUE(graph.layout().legal(values));
      graph.layout().indicator(values, z);
      const std::vector<std::uint32_t> head = heads_of(arcs, tree);
      for (Index p = 0; p < graph.num_pairs(); ++p) {
        if (says_nothing(graph.pairs()[p])) continue;
        EXPECT_EQ(z[graph.num_arcs() + p] == 1, tree_has(head, graph.pairs()[p]));
      }
    }
  }
}

// Two heads for each word, one of them the same for all.
TEST(ArcPairGraph, RefusesWhatIsNoSentence) {
  std::vector<DependencyArc> arcs = {{0, 1}};
  for (std::uint32_t m = 2; m <= 3000; ++m) {
    arcs.push_back({0, m});
    arcs.push_back({1, m});
  }
  EXPECT_THROW(ArcPairGraph(DependencyArcs(3000, arcs), Roots::kOne, Crossing::kAllowed, {}),
               UsageError);
}

TEST(ArcPairGraph, LeavesOutWhatIsNotAskedFor) {
  Random random(1);
  const DependencyArcs arcs = conformance::draw_arcs(5, 1, 1, random);
  const ArcPairKinds all, none{false, false, false};
  EXPECT_EQ(ArcPairGraph(arcs, Roots::kOne, Crossing::kAllowed, none).num_pairs(), 0U);
  ArcPairKinds grandparents = none;
  grandparents.grandparents = true;
  const ArcPairGraph one_kind(arcs, Roots::kOne, Crossing::kAllowed, grandparents);
  for (const ArcPair& pair : one_kind.pairs()) {
    EXPECT_EQ(pair.kind, ArcPairKind::kGrandparent);
    EXPECT_NE(pair.first, pair.second);
  }
  // Siblings of the root are none where it has one child.
  const ArcPairGraph one_root(arcs, Roots::kOne, Crossing::kAllowed, all);
  for (const ArcPair& pair : one_root.pairs()) EXPECT_NE(pair.head, 0U);
}

}  // namespace
}  // namespace trellis
