// Symbols and rules of a grammar as text: "NP^S → DT NN", "S → VP → VB".
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

// Tags have their own names, without the mark that distinguishes them from brackets.
inline std::string symbol_text(const TreebankGrammar& grammar, Index symbol) {
  const Symbol& made = grammar.symbol(symbol);
  return std::string(made.kind == SymbolKind::kTag ? grammar.tags()[made.label]
                                                   : grammar.name(symbol));
}

inline std::string binary_rule_text(const TreebankGrammar& grammar, Index rule) {
  const BinaryTreebankRule& one = grammar.binary()[rule];
  return symbol_text(grammar, one.parent) + " → " + symbol_text(grammar, one.left) + " " +
         symbol_text(grammar, one.right);
}

inline std::string chain_text(const TreebankGrammar& grammar, Index chain) {
  const ChainRule& one = grammar.unary()[chain];
  std::string text = symbol_text(grammar, one.parent);
  each_label(grammar.chains()[one.via],
             [&](std::string_view label) { text += " → " + std::string(label); });
  return text + " → " + symbol_text(grammar, one.child);
}

}  // namespace trellis::grammar
