// Decodes the tree of a sentence from the scores s of its candidate arcs and of their pairs.
//
//   map   the tree with the highest score; in second order by a search with a limit.
//   risk  the tree with the least expected cost (minimum Bayes risk; Goodman 1996, Smith & Smith
//         2007) under P(tree) ∝ exp(score), where a wrong head costs 1 and a wrong label of the
//         right head c = kLabelCost:
//
//             max over trees of  Σ_{arcs (h, m, l) of the tree}  (1 − c) P(h, m) + c P(h, m, l)
//
//         Probabilities of a first-order model are exact (matrix-tree theorem or inside-outside).
//         In second order they are beliefs, or the gradient of the reweighted bound.
//
// If the order is 1, both find a tree of single arcs: O(n²) to O(n³) for n words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/structure/trees/higher_order_search.h"
#include "trellis/structure/trees/projective_tree.h"
#include "trellis/tasks/parse/model/pair_inference.h"

namespace trellis::parse {

enum class Decoding { kMap, kRisk };
constexpr auto names_of(Decoding) {
  return Names{"decoding", "map", "risk"};
}

struct DecodeOptions {
  std::optional<Decoding> decoding;   // not given: kMap
  std::optional<PairInference> sums;  // for pairs: kReweighted or kBeliefs; not given: kBeliefs
  InferenceLimits limits;             // for these sums

  bool risk() const { return decoding == Decoding::kRisk; }
  // These options, completed by `standard`.
  DecodeOptions over(const DecodeOptions& standard) const;
  // Throws UsageError for options that do not fit together, or do not fit this order.
  void check(Index order) const;
  bool operator==(const DecodeOptions&) const = default;
};

struct DecodedTree {
  double score = 0;
  bool proven = true;     // map: no tree scores more
  bool converged = true;  // risk: the sums converged
};

class TreeDecoder {
 public:
  // Reused for all sentences; one for each thread.
  struct Scratch {
    DependencyTree::Scratch tree;
    ProjectiveTree::Scratch projective;
    HigherOrderSearch search;
    BeliefTree::Scratch beliefs;
    ReweightedTree::Scratch reweighted;
    std::vector<double> marginals, worth;
  };

  TreeDecoder(const TreeShape& shape, const DecodeOptions& options)
      : shape_(shape), options_(options) {}

  const DecodeOptions& options() const { return options_; }

  // `pairs` is null if only arcs have scores. Writes the arc of word m to tree[m − 1], or nothing
  // if there is no tree.
  DecodedTree decode(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                     std::span<const double> s, Scratch& scratch,
                     std::vector<std::uint32_t>& tree) const;
  // log Σ exp of the scores of all trees, and the probabilities of all parts; with pairs, the
  // values of options().sums.
  double log_partition(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                       std::span<const double> s, Scratch& scratch,
                       std::span<double> marginals) const;

  // Calls use(structure of arcs alone, its scratch).
  template <class Use>
  auto with_arcs(const DependencyArcs& arcs, Scratch& scratch, const Use& use) const {
    if (shape_.projective) return use(ProjectiveTree(arcs, shape_.roots), scratch.projective);
    return use(DependencyTree(arcs, shape_.roots), scratch.tree);
  }

 private:
  DecodedTree least_risk(const DependencyArcs& arcs, const ArcPairGraph* pairs,
                         std::span<const double> s, Scratch& scratch,
                         std::vector<std::uint32_t>& tree) const;
  double sum(const DependencyArcs& arcs, const ArcPairGraph* pairs, std::span<const double> s,
             Scratch& scratch, std::span<double> marginals, Convergence& convergence) const;

  TreeShape shape_;
  DecodeOptions options_;
};

}  // namespace trellis::parse
