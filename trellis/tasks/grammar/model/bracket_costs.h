// What a tree y costs in training, given the true tree y*: the number of its wrong brackets and
// tags, plus the number of those that it misses,
//
//   cost(y) = |B(y) − B(y*)| + |B(y*) − B(y)|,   B: the pairs (label, span) of brackets and tags.
//
// Labels are compared without ancestors and siblings, so NP^VP is right where the truth has NP^S.
// Every bracket of a chain counts, and TOP too; what a symbol of siblings (@NP) makes is no
// bracket. B is a multiset: of a bracket that one tree has m times and the other n, |m − n| are
// wrong or missing. EVALB counts the same, but by its parameters (it leaves out punctuation, TOP
// and tags, and takes PRT for ADVP).
//
// The cost is linear in the edges of a chart. Over a span a derivation has one edge of a word or a
// binary rule, and above it one chain at most, whose rule names the symbol that it stands on. Let T
// be the true brackets of a span, and d(C) = |C| − 2 |C ∩ T|, so that the span costs |T| + d(C):
//
//   cost(y) = |B(y*)| + Σ over the edges e of y of c(e)
//   c(word), c(binary) = d(what the edge makes)
//   c(chain) = d(its brackets and the one that it stands on) − d(the one that it stands on)
//   c(pass) = 0
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/rules/treebank_grammar.h"

namespace trellis::grammar {

// costs[e] ← c(e). Requires that the edges of the chart and the steps of the truth have symbols and
// rules of the grammar. Time and memory: O(edges + steps).
void bracket_costs(const TreebankGrammar& grammar, const ChartForest& chart,
                   const Derivation& truth, std::vector<std::int32_t>& costs);

}  // namespace trellis::grammar
