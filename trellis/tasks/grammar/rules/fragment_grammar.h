// A grammar that has a tree for every sentence: to that of a treebank it adds that the root may be
// a row of fragments, which are brackets or words of any kind.
//
//   TOP → X,   TOP → X F,   F → X,   F → X F           for all brackets and tags X
//
// F is a rest of TOP, so that a tree shows its fragments as children of the root. Rules of
// fragments come behind all others, and are unlikely: what needs few of them comes first.
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
  // Each word a fragment of its own, with the tags that these symbols are.
  Derivation word_by_word(std::span<const std::uint32_t> tag_symbols) const;
};

FragmentGrammar with_fragments(const TreebankGrammar& treebank, const CoarseRules& coarse,
                               const GenerativeScores& generative);

}  // namespace trellis::grammar
