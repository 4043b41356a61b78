// The options of word-feature LDA in addition to those of LDA: related words, the strength of
// relations, and the order in which languages enter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/topics/corpus/word_languages.h"
#include "trellis/topics/lda/document_stages.h"
#include "trellis/topics/wordlda/smoothers.h"
#include "trellis/topics/wordlda/word_features.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/wordlda/word_lda.h"

namespace trellis::topics {

// The relations of the words of a corpus.
struct WordRelations {
  WordGraph graph;
  WordFeatures features;

  std::uint64_t digest() const;
};

struct WordLdaSettings {
  SmoothingSchedule schedule;
  SmoothingOptions smoothing;  // its λ and σ are among those below
  // If there are several, all pairs are evaluated: trained on the documents without a held-out
  // share, the pair that makes this share most probable is chosen.
  std::vector<double> lambdas = {0.5}, sigmas = {5};
  double validation = 0.1;

  bool chooses() const { return lambdas.size() * sigmas.size() > 1; }
  std::vector<SmoothingOptions> candidates() const;
  // Throws UsageError.
  void check() const;
  Value record() const;
};

// Languages that enter one stage after another, several at once if listed together; other languages
// come last.
struct StageSettings {
  std::vector<std::vector<std::string>> languages;
  std::optional<Index> sweeps;  // of each stage but the last; default: equal numbers

  bool staged() const { return !languages.empty(); }
  Value record() const;
};

// The vocabulary by language: a part for each main language of words (corpus/word_languages.h), and
// one for words without a language. Throws UsageError if there are more than 255.
WordParts parts_by_language(const WordLanguages& words);

// languages[d] is that of document d, or kNoLabel. Throws UsageError if a stage names a language
// without documents, or would begin after the last sweep.
DocumentStages make_stages(const StageSettings& settings, std::span<const Label> languages,
                           const NameView& names, Index sweeps);

}  // namespace trellis::topics
