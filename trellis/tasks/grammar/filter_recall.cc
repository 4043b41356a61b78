#include "trellis/tasks/grammar/filter_recall.h"

#include "trellis/tasks/grammar/model/chart_maker.h"

namespace trellis::grammar {

void FilterRecall::add(const ParsingGrammar& grammar, const Derivation& truth,
                       const SpanExample& example) {
  ++trees;
  if (truth.complete) {
    ++derivable;
    if (!edges_of(example.chart, grammar.rules(), truth).empty()) ++whole;
  }
  const TreebankGrammar& treebank = grammar.treebank();
  const Index n = truth.steps.empty() ? 0 : truth.steps.back().end;
  KeptSpans there;
  there.assign(n, treebank.coarse_names().size(), false);
  for (const ChartNode& node : example.chart.nodes) {
    there.keep(node.begin, node.end, treebank.symbol(node.symbol).coarse);
  }
  for (const DerivationStep& step : truth.steps) {
    if (step.kind == DerivationStep::Kind::kWord) continue;
    ++steps;
    if (step.symbol == TreebankGrammar::kNone) continue;
    kept += there.keeps(step.begin, step.end, treebank.symbol(step.symbol).coarse) ? 1 : 0;
  }
}

}  // namespace trellis::grammar
