// The generative grammar of a treebank: log smoothed relative frequencies of its rules
// (generative/grammar/rule_frequencies.h). A symbol first takes a chain or none, then a binary
// rule. Rules whose symbols differ only in their ancestors are of one kind.
#pragma once

#include <span>
#include <vector>

#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

struct GenerativeScores {
  std::vector<double> binary, chain;  // by rule
  std::vector<double> pass;           // by symbol, for taking no chain; 0 if that never occurs

  // The score of an edge into a node; words are scored by the word model.
  double of(const ChartNode& node, const ChartEdge& edge) const {
    switch (edge.kind) {
      case ChartEdge::Kind::kBinary:
        return binary[edge.rule];
      case ChartEdge::Kind::kChain:
        return chain[edge.rule];
      case ChartEdge::Kind::kPass:
        return pass[node.symbol];
      default:
        return 0;
    }
  }
};

// For derivations that were added to the grammar.
GenerativeScores generative_scores(const TreebankGrammar& grammar,
                                   std::span<const Derivation> derivations);

}  // namespace trellis::grammar
