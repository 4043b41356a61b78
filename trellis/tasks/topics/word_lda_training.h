// What training of word-feature LDA is told beside what LDA is: which words are related, how strong
// that is, and in which order languages enter.
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

// Of the words of a corpus.
struct WordRelations {
  WordGraph graph;
  WordFeatures features;

  std::uint64_t digest() const;
};

struct WordLdaSettings {
  SmoothingSchedule schedule;
  SmoothingOptions smoothing;  // its λ and σ are those below, or one of them
  // Where there are several, all pairs of them are tried on the documents but for a share, and the
  // one is taken by which that share is likeliest.
  std::vector<double> lambdas = {0.5}, sigmas = {5};
  double validation = 0.1;

  bool chooses() const { return lambdas.size() * sigmas.size() > 1; }
  std::vector<SmoothingOptions> candidates() const;
  // Throws UsageError.
  void check() const;
  Value record() const;
};

// Languages that enter one after another, several at once where they stand together; those that are
// not named come last.
struct StageSettings {
  std::vector<std::vector<std::string>> languages;
  std::optional<Index> sweeps;  // of a stage but the last; else all have the same

  bool staged() const { return !languages.empty(); }
  Value record() const;
};

// The vocabulary by language: a part for each that words mostly are of (corpus/word_languages.h),
// and one for words of no language. Throws UsageError where there are more than 255.
WordParts parts_by_language(const WordLanguages& words);

// languages[d] is that of a document, kNoLabel: none is known. Throws UsageError where a stage
// names a language of no document, or a stage would not begin before all sweeps are done.
DocumentStages make_stages(const StageSettings& settings, std::span<const Label> languages,
                           const NameView& names, Index sweeps);

}  // namespace trellis::topics
