// How much of true trees the filters keep.
#pragma once

#include "trellis/base/types.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"
#include "trellis/tasks/grammar/model/span_example.h"

namespace trellis::grammar {

struct FilterRecall {
  Index steps = 0, kept = 0;       // brackets and what is left to make of them, by coarse symbol
  Index trees = 0, derivable = 0;  // trees, and those that the grammar has rules for
  Index whole = 0;                 // of these: with all steps in the chart

  double recall() const {
    return steps == 0 ? 100 : 100 * static_cast<double>(kept) / static_cast<double>(steps);
  }
  // A chart of a sentence as a parser makes it, and the true tree, by what the grammar knows of it.
  void add(const ParsingGrammar& grammar, const Derivation& truth, const SpanExample& example);
};

}  // namespace trellis::grammar
