// Selects the symbols for each span of words: those with a sufficient expected count under the
// coarse grammar (Charniak et al. 2006: coarse-to-fine).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/grammar/word_model.h"
#include "trellis/solve/grammars/context_free_grammar.h"
#include "trellis/solve/grammars/grammar_sums.h"
#include "trellis/structure/trees/chart_forest.h"
#include "trellis/tasks/grammar/tagging/tag_choices.h"

namespace trellis::grammar {

struct FilterOptions {
  bool prune = true;
  double prune_below = 1e-3;        // expected counts of coarse symbols over spans
  double prune_rules_below = 1e-4;  // and of rules, in the remaining forest
  double prune_tags_below = 1e-3;   // probabilities of tags, with a tagger

  double least_tag() const { return prune ? prune_tags_below : 0; }
};

class SpanFilter {
 public:
  // One for each thread.
  struct Scratch {
    GrammarSums sums;
    std::vector<double> weights, counts;
    std::vector<double> tag_weights;  // by word and tag: p(word | tag) times a factor per word
    // For each word the best tag: by the tagger; without one by the coarse grammar; if that has no
    // tree, by the word alone.
    std::vector<std::uint32_t> best_tags;
  };

  // `tag_symbols`: the coarse symbol of each tag of the word model. All must outlive the filter.
  SpanFilter(const ContextFreeGrammar& grammar, const WordModel& words,
             std::span<const std::uint32_t> tag_symbols, const FilterOptions& options)
      : grammar_(&grammar), words_(&words), tag_symbols_(tag_symbols), options_(options) {}

  // Computes the weights of each word's tags, by word and tag: those of the tagger's choices, or
  // without a tagger (null) those of the words alone.
  void weigh_words(std::span<const std::string> sentence, const TagChoices* tagger,
                   Scratch& scratch) const;
  // Filters by these weights. False if the coarse grammar has no tree; then nothing is kept.
  bool keep(std::span<const std::string> sentence, const TagChoices* tagger, Scratch& scratch,
            KeptSpans& kept) const;

 private:
  template <class Weight>
  std::uint32_t best_tag(const Weight& weight) const;

  const ContextFreeGrammar* grammar_;
  const WordModel* words_;
  std::span<const std::uint32_t> tag_symbols_;
  FilterOptions options_;
};

}  // namespace trellis::grammar
