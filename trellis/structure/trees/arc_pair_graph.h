// Dependency trees whose arcs score by themselves and in pairs (McDonald & Pereira 2006; Carreras
// 2007; Martins, Smith & Xing 2009): a factor graph with a switch for each candidate arc h → m,
// whatever its labels, one TREE over all of them, and on top of it
//
//   HEAD   for each head and side     two modifiers with none between them; the first, the last
//   PAIR   for each two arcs h → m, h → s, m < s     siblings
//   PAIR   for each two arcs g → h, h → m            grandparents
//
// of which a model may leave out any. The parts of such pairs are numbered as they are built, in an
// order that follows from the arcs alone; pairs() tells what they mean. Two arcs that no tree has
// both, g → h and h → g, are no pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/structure/trees/dependency_arcs.h"

namespace trellis {

struct ArcPairKinds {
  bool consecutive = true;  // siblings with none between them
  bool siblings = true;     // any two
  bool grandparents = true;
};

enum class ArcPairKind : std::uint8_t { kConsecutive, kSiblings, kGrandparent };

// Words of a pair. Consecutive siblings: `first` is the one closer to the head and `second` the
// other, kNoWord where the pair says that `second` is the closest of all or `first` the farthest.
// Siblings: first < second. Grandparents: g = first, h = head, m = second.
struct ArcPair {
  ArcPairKind kind = ArcPairKind::kConsecutive;
  std::uint32_t head = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};
inline constexpr std::uint32_t kNoWord = ~std::uint32_t{0};

class ArcPairGraph {
 public:
  // A sentence of hundreds of words has tens of thousands of pairs; one that has more than this is
  // no sentence.
  static constexpr Index kMostPairs = Index{1} << 22;

  // `arcs` need not outlive the graph. Throws UsageError where there are more than kMostPairs.
  ArcPairGraph(const DependencyArcs& arcs, Roots roots, Crossing crossing,
               const ArcPairKinds& kinds);

  // States are the groups of parallel arcs, in their order.
  const FactorGraphLayout& layout() const { return layout_; }
  Index num_arcs() const { return layout_.num_states(); }
  Index num_pairs() const { return layout_.num_parts() - layout_.num_states(); }

  // The pairs of parts num_arcs() … num_parts() − 1, in order.
  const std::vector<ArcPair>& pairs() const { return pairs_; }

 private:
  // Candidate arcs h → m as switches, by head.
  struct Switch {
    std::uint32_t word;  // m, or h where they are by modifier
    std::uint32_t state;
  };
  using Switches = std::vector<std::vector<Switch>>;

  void add_consecutive(std::uint32_t head, std::span<const Switch> modifiers,
                       FactorGraphBuilder& builder);
  void add_siblings(std::uint32_t head, std::span<const Switch> modifiers,
                    FactorGraphBuilder& builder);
  void add_grandparents(std::uint32_t head, std::span<const Switch> modifiers,
                        std::span<const Switch> grandparents, FactorGraphBuilder& builder);

  FactorGraphLayout layout_;
  std::vector<ArcPair> pairs_;
};

}  // namespace trellis
