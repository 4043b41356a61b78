// The charts that a grammar is trained on. A sentence's own tree must not tell the filters and the
// generative scores what it is, or weights would learn to trust them too much: so the treebank is
// cut into folds, and the charts of each are made by what the others say (jack-knifing).
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/grammar/filter/span_filter.h"
#include "trellis/tasks/grammar/model/chart_maker.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"
#include "trellis/tasks/grammar/model/span_example.h"

namespace trellis::grammar {

struct ChartingOptions {
  FilterOptions filter;
  Index folds = 1;  // 1: none are kept apart
  std::uint64_t seed = 1;
  int threads = 0;
  std::stop_token stop;
};

// How much of true trees the filters keep.
struct FilterRecall {
  Index steps = 0, kept = 0;       // brackets and what is left to make of them, by coarse symbol
  Index trees = 0, derivable = 0;  // trees, and those that the grammar has rules for
  Index whole = 0;                 // of these: with all steps in the chart
  Index words = 0, edges = 0;

  double recall() const {
    return steps == 0 ? 100 : 100 * static_cast<double>(kept) / static_cast<double>(steps);
  }
};

// Charts with their true trees in them, for learning; nothing where it was stopped. `derivations`
// are those of the trees, by the grammar of `grammar`.
std::vector<SpanExample> chart_to_learn(const ParsingGrammar& grammar,
                                        std::span<const ConstituencyTree> trees,
                                        std::span<const Derivation> derivations,
                                        const ChartingOptions& options);

// Charts as a parser makes them, of trees that the grammar need not know.
std::vector<SpanExample> chart_to_judge(const ParsingGrammar& grammar,
                                        std::span<const ConstituencyTree> trees,
                                        const ChartingOptions& options, FilterRecall& recall);

// Numbers of the features of the true trees.
void see_true_trees(const FeatureKeys& keys, std::span<const ConstituencyTree> trees,
                    std::span<const SpanExample> examples, SpanNumbers& numbers);
// The features of all charts.
void number_features(const FeatureKeys& keys, const SpanNumbers& numbers,
                     std::span<const ConstituencyTree> trees, int threads,
                     std::span<SpanExample> examples);

}  // namespace trellis::grammar
