// How much of the true trees the filters keep.
#pragma once

#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"
#include "trellis/tasks/grammar/model/span_example.h"

namespace trellis::grammar {

struct FilterRecall {
  Index steps = 0, kept = 0;       // steps of true trees, and those kept, by coarse symbol
  Index trees = 0, derivable = 0;  // trees, and those with all rules in the grammar
  Index whole = 0;                 // of these: with all steps in the chart

  double recall() const { return percent(kept, steps, 100); }
  // Adds the parser's chart of a sentence and the true tree, derived by the grammar.
  void add(const ParsingGrammar& grammar, const Derivation& truth, const SpanExample& example);
};

}  // namespace trellis::grammar
