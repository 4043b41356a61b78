// From words to a pruned forest of their trees, in two steps: the coarse grammar selects spans
// (filter/span_filter.h), then the generative grammar selects rules by their expected counts in the
// remaining forest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/trees/chart_forest.h"
#include "trellis/structure/trees/parse_forest.h"
#include "trellis/tasks/grammar/filter/span_filter.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"
#include "trellis/tasks/grammar/model/span_example.h"

namespace trellis::grammar {

class ChartMaker {
 public:
  // One for each thread.
  struct Scratch {
    SpanFilter::Scratch filter;
    KeptSpans kept;
    std::vector<std::vector<std::uint32_t>> tags;
    ChartForestBuilder builder;
    ChartForest whole;
    ParseForest::Scratch forest;
    std::vector<double> scores, expected;
    ParseForest::Output best;
    std::vector<std::uint8_t> keep;
    std::vector<std::uint32_t> truth;
  };

  // `grammar` must outlive the object.
  ChartMaker(const ParsingGrammar& grammar, const FilterOptions& options);

  const ParsingGrammar& grammar() const { return *grammar_; }

  // Makes the chart of a sentence and the scores of its edges. The tagger chooses the possible tags
  // of words; without one (null), the grammar does. If `truth` is given and complete, its steps are
  // in the chart despite the filters, and are example.gold; only then there are costs. Returns
  // false, with an empty chart, if the grammar has no tree for the words.
  bool make(std::span<const std::string> words, const TagChoices* tagger, const Derivation* truth,
            Scratch& scratch, SpanExample& example) const;

  // The tags of words that features use: the tagger's, or without one (null) those of the coarse
  // grammar.
  std::vector<std::uint32_t> tags(std::span<const std::string> words, const TagChoices* tagger,
                                  Scratch& scratch) const;

  // The derivation that consists of these edges in preorder.
  void derivation_of(const ChartForest& chart, std::span<const std::uint32_t> edges,
                     Derivation& derivation) const;

 private:
  void list_tags(Index words, const Derivation* truth, Scratch& scratch) const;
  void score(const ChartForest& chart, const Scratch& scratch, std::vector<double>& scores) const;
  void add_word_scores(std::span<const std::string> words, const TagChoices& tagger,
                       SpanExample& example) const;
  void keep_expected(Scratch& scratch) const;

  const ParsingGrammar* grammar_;
  FilterOptions options_;
  SpanFilter filter_;
};

// The edges of a derivation's steps, in preorder; empty if one of them is missing.
std::vector<std::uint32_t> edges_of(const ChartForest& chart, const GrammarRules& rules,
                                    const Derivation& derivation);

}  // namespace trellis::grammar
