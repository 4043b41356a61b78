// The related words of a corpus, from several sources: files of links, dictionaries, synonyms,
// vectors and features, spelling, and co-occurrences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/topics/corpus_files.h"
#include "trellis/tasks/topics/word_lda_training.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/words/cooccurrence.h"
#include "trellis/topics/words/dictionary.h"
#include "trellis/topics/words/edit_distance.h"
#include "trellis/topics/words/lexical_similarity.h"
#include "trellis/topics/words/word_vectors.h"

namespace trellis::topics {

enum class SpellingLinks { kNone, kEdits, kSubstrings };
constexpr auto names_of(SpellingLinks) {
  return Names{"links by spelling", "none", "edits", "substrings"};
}

struct RelationSources {
  std::vector<std::string> graphs, dictionaries, synonyms;
  std::string vectors, features;  // files; may be empty
  DictionaryOptions dictionary;
  float synonym_weight = 1;
  EmbeddingOptions embedding;
  SpellingLinks spelling = SpellingLinks::kNone;
  EditDistanceOptions edits;
  LexicalSimilarityOptions substrings;
  std::optional<CorpusFiles> company;  // documents for co-occurrences
  bool own_company = false;            // use the corpus itself for co-occurrences, too
  CooccurrenceOptions cooccurrence;

  bool any() const;
  // Throws UsageError.
  void check() const;
};

// The links from one source.
struct SourceTally {
  std::string name;
  LinkTally tally;

  std::string to_text() const;
};

struct FoundRelations {
  WordRelations relations;
  std::vector<SourceTally> sources;
  WordFeatureTally features;

  std::vector<std::string> notes() const;
  Value record() const;  // words and links of the graph, and links from each source
};

// If words belong to languages (TextOptions::by_language), relations of a spelling hold for its
// words in all languages, and these are linked with one another. Throws InputError for an invalid
// file.
FoundRelations find_relations(const Corpus& corpus, const RelationSources& sources, int threads);

}  // namespace trellis::topics
