#include "trellis/tasks/grammar/charting.h"

#include <memory>
#include <string>

#include "trellis/base/parallel.h"
#include "trellis/tasks/training/folds.h"

namespace trellis::grammar {
namespace {

template <class Item>
std::vector<Item> pick(std::span<const Item> all, std::span<const Index> chosen) {
  std::vector<Item> picked;
  for (const Index i : chosen) picked.push_back(all[i]);
  return picked;
}

void chart_some(const ChartMaker& maker, std::span<const ConstituencyTree> trees,
                std::span<const Derivation> derivations, std::span<const Index> chosen,
                const ChartingOptions& options, std::vector<SpanExample>& examples) {
  std::vector<ChartMaker::Scratch> scratch(static_cast<Index>(resolve_threads(options.threads)));
  parallel_for(chosen.size(), options.threads, [&](Index k, int worker) {
    if (options.stop.stop_requested()) return;
    const Index i = chosen[k];
    maker.make(trees[i].words(), &derivations[i], scratch[static_cast<Index>(worker)], examples[i]);
  });
}

// Whether every step of a true tree could be made.
void count_recall(const ParsingGrammar& grammar, const Derivation& truth,
                  const SpanExample& example, FilterRecall& recall) {
  ++recall.trees;
  recall.edges += example.chart.edges.size();
  if (truth.complete) {
    ++recall.derivable;
    if (!edges_of(example.chart, grammar.rules(), truth).empty()) ++recall.whole;
  }
  const TreebankGrammar& treebank = grammar.treebank();
  const Index n = truth.steps.empty() ? 0 : truth.steps.back().end;
  recall.words += n;
  KeptSpans there;
  there.assign(n, treebank.coarse_names().size(), false);
  for (const ChartNode& node : example.chart.nodes) {
    there.keep(node.begin, node.end, treebank.symbol(node.symbol).coarse);
  }
  for (const DerivationStep& step : truth.steps) {
    if (step.kind == DerivationStep::Kind::kWord) continue;
    ++recall.steps;
    if (step.symbol == TreebankGrammar::kNone) continue;
    recall.kept += there.keeps(step.begin, step.end, treebank.symbol(step.symbol).coarse) ? 1 : 0;
  }
}

}  // namespace

std::vector<SpanExample> chart_to_learn(const ParsingGrammar& grammar,
                                        std::span<const ConstituencyTree> trees,
                                        std::span<const Derivation> derivations,
                                        const ChartingOptions& options) {
  std::vector<SpanExample> examples(trees.size());
  const Index folds = std::min(options.folds, trees.size());
  if (folds <= 1) {
    std::vector<Index> all(trees.size());
    for (Index i = 0; i < all.size(); ++i) all[i] = i;
    chart_some(ChartMaker(grammar, options.filter), trees, derivations, all, options, examples);
    return examples;
  }
  for (const std::vector<Index>& held : deal_folds(trees.size(), folds, options.seed)) {
    const std::vector<Index> others = without(held, trees.size());
    const ParsingGrammar without_fold = ParsingGrammar::from_trees(
        grammar.treebank(), pick(trees, std::span(others)), pick(derivations, std::span(others)));
    chart_some(ChartMaker(without_fold, options.filter), trees, derivations, held, options,
               examples);
  }
  return examples;
}

std::vector<SpanExample> chart_to_judge(const ParsingGrammar& grammar,
                                        std::span<const ConstituencyTree> trees,
                                        const ChartingOptions& options, FilterRecall& recall) {
  std::vector<SpanExample> examples(trees.size());
  const ChartMaker maker(grammar, options.filter);
  std::vector<ChartMaker::Scratch> scratch(static_cast<Index>(resolve_threads(options.threads)));
  parallel_for(trees.size(), options.threads, [&](Index i, int worker) {
    maker.make(trees[i].words(), nullptr, scratch[static_cast<Index>(worker)], examples[i]);
  });
  for (Index i = 0; i < trees.size(); ++i) {
    count_recall(grammar, grammar.treebank().derive(trees[i]), examples[i], recall);
  }
  return examples;
}

void see_true_trees(const FeatureKeys& keys, std::span<const ConstituencyTree> trees,
                    std::span<const SpanExample> examples, SpanNumbers& numbers) {
  SpanAtoms atoms;
  SpanFeatures features(keys);
  const auto see = [&](std::uint64_t fingerprint) { numbers.see(fingerprint); };
  for (Index i = 0; i < trees.size(); ++i) {
    const ChartForest& chart = examples[i].chart;
    atoms.assign(trees[i].words(), examples[i].tags, keys);
    features.begin(atoms);
    for (const std::uint32_t e : examples[i].gold) {
      const ChartNode& node = chart.nodes[chart.forest.head(e)];
      features.each(node, see);
      features.each(node, chart.edges[e], see);
    }
  }
}

void number_features(const FeatureKeys& keys, const SpanNumbers& numbers,
                     std::span<const ConstituencyTree> trees, int threads,
                     std::span<SpanExample> examples) {
  struct Worker {
    SpanNumberer numberer;
    SpanAtoms atoms;
  };
  std::vector<Worker> workers;
  for (int k = 0; k < resolve_threads(threads); ++k) {
    workers.push_back({SpanNumberer(keys, numbers), {}});
  }
  parallel_for(trees.size(), threads, [&](Index i, int worker) {
    Worker& mine = workers[static_cast<Index>(worker)];
    mine.atoms.assign(trees[i].words(), examples[i].tags, keys);
    mine.numberer.fill(mine.atoms, examples[i]);
  });
}

}  // namespace trellis::grammar
