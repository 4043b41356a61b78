// From words to the forest of their trees that are worth a look, in two steps: spans by the coarse
// grammar (filter/span_filter.h), then rules by the generative one, whose expected counts upon the
// forest of all that is left tell which of them matter.
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

  // `grammar` must outlive it.
  ChartMaker(const ParsingGrammar& grammar, const FilterOptions& options);

  const ParsingGrammar& grammar() const { return *grammar_; }

  // The chart of a sentence and its edges' scores. Words have the tags that the tagger chooses;
  // without one (null), those that the grammar knows of them. The steps of `truth`, where it is
  // given and complete, are in the chart whatever the filters say, and are example.gold; only then
  // there are costs. False where the grammar has no tree for the words; then the chart is empty.
  bool make(std::span<const std::string> words, const TagChoices* tagger, const Derivation* truth,
            Scratch& scratch, SpanExample& example) const;

  // The tags of words that features go by: the tagger's, or without one (null) the coarse
  // grammar's.
  std::vector<std::uint32_t> tags(std::span<const std::string> words, const TagChoices* tagger,
                                  Scratch& scratch) const;

  // The derivation that edges in preorder are.
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

// The edges that the steps of a derivation are, in preorder; none where one of them is not there.
std::vector<std::uint32_t> edges_of(const ChartForest& chart, const GrammarRules& rules,
                                    const Derivation& derivation);

}  // namespace trellis::grammar
