// The cost of a tree y in training, given the true tree y*: the number of its wrong brackets and
// tags, plus the number of missed ones,
//
//   cost(y) = |B(y) − B(y*)| + |B(y*) − B(y)|,   B: the pairs (label, span) of brackets and tags.
//
// Labels are compared without ancestors and siblings, so NP^VP is right if the truth has NP^S.
// Every bracket of a chain counts, and so does TOP; a symbol with siblings (@NP) is not a bracket.
// B is a multiset: if one tree has a bracket m times and the other n times, |m − n| are wrong or
// missing. EVALB counts in the same way, but by its parameters (it ignores punctuation, TOP and
// tags, and equates PRT with ADVP).
//
// The cost is linear in the edges of a chart. Over a span a derivation has one edge of a word or a
// binary rule, and above it at most one chain, whose rule names the symbol below it. Let T be the
// true brackets of a span, and d(C) = |C| − 2 |C ∩ T|, so that the span costs |T| + d(C):
//
//   cost(y) = |B(y*)| + Σ over the edges e of y of c(e)
//   c(word), c(binary) = d(what the edge makes)
//   c(chain) = d(its brackets and the one below it) − d(the one below it)
//   c(pass) = 0
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

// costs[e] ← c(e). The edges of the chart and the steps of the truth must have symbols and rules of
// the grammar. Time and memory: O(edges + steps).
void bracket_costs(const TreebankGrammar& grammar, const ChartForest& chart,
                   const Derivation& truth, std::vector<std::int32_t>& costs);

}  // namespace trellis::grammar
