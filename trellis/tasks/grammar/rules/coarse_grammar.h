// The grammar of coarse symbols (treebank_grammar.h) with the relative frequencies of its rules:
// what a chart of all spans can afford. Chains fall into their single steps here, and may lead in
// circles.
#pragma once

#include <span>

#include "trellis/solve/grammars/context_free_grammar.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

struct CoarseRules {
  std::vector<BinaryRule> binary;
  std::vector<UnaryRule> unary;
};

// Of derivations that the grammar has added.
CoarseRules coarse_rules(const TreebankGrammar& grammar, std::span<const Derivation> derivations);

}  // namespace trellis::grammar
