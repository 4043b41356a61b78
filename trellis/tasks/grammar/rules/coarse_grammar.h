// The grammar of coarse symbols (treebank_grammar.h) with the relative frequencies of its rules; it
// is small enough for charts of all spans. Chains are split into single steps, which may form
// cycles.
#pragma once

#include <span>

#include "trellis/solve/grammars/context_free_grammar.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

struct CoarseRules {
  std::vector<BinaryRule> binary;
  std::vector<UnaryRule> unary;
};

// For derivations that were added to the grammar.
CoarseRules coarse_rules(const TreebankGrammar& grammar, std::span<const Derivation> derivations);

}  // namespace trellis::grammar
