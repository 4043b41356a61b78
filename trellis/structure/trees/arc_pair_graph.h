// Dependency trees with scores of arcs and of pairs of arcs (McDonald & Pereira 2006; Carreras
// 2007; Martins, Smith & Xing 2009): a factor graph with a switch for each candidate arc h → m,
// whatever its labels, one TREE over all switches, and in addition
//
//   HEAD   for each head and side     two modifiers with none between them; the first, the last
//   PAIR   for each two arcs h → m, h → s, m < s     siblings
//   PAIR   for each two arcs g → h, h → m            grandparents
//
// A model may omit any of these. The parts of pairs are numbered as they are built, in an order
// that follows from the arcs alone; pairs() lists their words. Two arcs that no tree can have
// together, g → h and h → g, are not a pair.
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
// other; kNoWord as `first` means that `second` is the closest modifier, as `second` that `first`
// is the farthest. Siblings: first < second. Grandparents: g = first, h = head, m = second.
struct ArcPair {
  ArcPairKind kind = ArcPairKind::kConsecutive;
  std::uint32_t head = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};
inline constexpr std::uint32_t kNoWord = ~std::uint32_t{0};

class ArcPairGraph {
 public:
  // A sentence of hundreds of words has tens of thousands of pairs; an input with more than this is
  // not a sentence.
  static constexpr Index kMostPairs = Index{1} << 22;

  // `arcs` need not outlive the graph. Throws UsageError if there are more than kMostPairs.
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
