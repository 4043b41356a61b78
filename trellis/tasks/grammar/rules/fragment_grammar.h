// A grammar with a tree for every sentence: it extends a treebank grammar by rules that make the
// root a row of fragments, which are brackets or words of any kind.
//
//   TOP → X,   TOP → X F,   F → X,   F → X F           for all brackets and tags X
//
// F is the rest of TOP, so that a tree shows its fragments as children of the root. Rules of
// fragments come after all others and have low weights: trees with few fragments score higher.
#pragma once

#include <span>

#include "trellis/base/types.h"
#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/rules/coarse_grammar.h"
#include "trellis/tasks/grammar/rules/generative_scores.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

struct FragmentGrammar {
  TreebankGrammar treebank;
  CoarseRules coarse;
  GenerativeScores generative;
  Index first_binary = 0, first_chain = 0;  // rules of fragments, each of which adds one

  bool adds_fragment(const ChartEdge& edge) const {
    return (edge.kind == ChartEdge::Kind::kBinary && edge.rule >= first_binary) ||
           (edge.kind == ChartEdge::Kind::kChain && edge.rule >= first_chain);
  }
  // A derivation in which each word is a fragment, with the tags of these symbols.
  Derivation word_by_word(std::span<const std::uint32_t> tag_symbols) const;
};

FragmentGrammar with_fragments(const TreebankGrammar& treebank, const CoarseRules& coarse,
                               const GenerativeScores& generative);

}  // namespace trellis::grammar
