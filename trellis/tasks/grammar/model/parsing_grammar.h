// Everything that a parser has before weights are learned: symbols and rules with their
// frequencies, words with the probabilities of their tags, and the coarse grammar for filtering.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/grammar/word_model.h"
#include "trellis/solve/grammars/context_free_grammar.h"
#include "trellis/structure/trees/grammar_rules.h"
#include "trellis/tasks/grammar/features/span_features.h"
#include "trellis/tasks/grammar/rules/coarse_grammar.h"
#include "trellis/tasks/grammar/rules/generative_scores.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

class ParsingGrammar {
 public:
  ParsingGrammar(TreebankGrammar treebank, const CoarseRules& coarse, GenerativeScores generative,
                 WordModel words);
  // Makes the grammar of a treebank; `derivations` are those of its trees by the same grammar.
  static ParsingGrammar from_trees(TreebankGrammar treebank,
                                   std::span<const ConstituencyTree> trees,
                                   std::span<const Derivation> derivations);

  const TreebankGrammar& treebank() const { return treebank_; }
  const GrammarRules& rules() const { return rules_; }
  const ContextFreeGrammar& coarse() const { return coarse_; }
  const CoarseRules& coarse_rules() const { return coarse_rules_; }
  const GenerativeScores& generative() const { return generative_; }
  const WordModel& words() const { return words_; }
  const FeatureKeys& keys() const { return keys_; }
  // By tag: its symbol and its coarse symbol.
  std::span<const std::uint32_t> tag_symbols() const { return tag_symbols_; }
  std::span<const std::uint32_t> coarse_tag_symbols() const { return coarse_tag_symbols_; }

 private:
  TreebankGrammar treebank_;
  CoarseRules coarse_rules_;
  ContextFreeGrammar coarse_;
  GrammarRules rules_;
  GenerativeScores generative_;
  WordModel words_;
  std::vector<std::uint32_t> tag_symbols_, coarse_tag_symbols_;
  FeatureKeys keys_;
};

}  // namespace trellis::grammar
