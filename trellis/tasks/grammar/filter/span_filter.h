// Which symbols are worth a look over which words: those that the coarse grammar expects there
// often enough (Charniak et al. 2006: coarse-to-fine).
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
  double prune_rules_below = 1e-4;  // and of rules, in the forest of what is left
  double prune_tags_below = 1e-3;   // probabilities of tags, where there is a tagger

  double least_tag() const { return prune ? prune_tags_below : 0; }
};

class SpanFilter {
 public:
  // One for each thread.
  struct Scratch {
    GrammarSums sums;
    std::vector<double> weights, counts;
    std::vector<double> tag_weights;  // by word and tag: p(word | tag), up to a factor of the word
    // Of each word: the tag that is most likely by the tagger; without one by the coarse grammar,
    // or where that has no tree by the word alone.
    std::vector<std::uint32_t> best_tags;
  };

  // `tag_symbols`: the coarse symbol of each tag of the word model. All must outlive the filter.
  SpanFilter(const ContextFreeGrammar& grammar, const WordModel& words,
             std::span<const std::uint32_t> tag_symbols, const FilterOptions& options)
      : grammar_(&grammar), words_(&words), tag_symbols_(tag_symbols), options_(options) {}

  // The weights of each word's tags, by word and tag: those of the tagger's choices, or without one
  // (null) of the words alone.
  void weigh_words(std::span<const std::string> sentence, const TagChoices* tagger,
                   Scratch& scratch) const;
  // By these. False where the coarse grammar has no tree for the sentence; then nothing is kept.
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
