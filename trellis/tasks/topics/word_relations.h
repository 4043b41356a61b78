// Which words of a corpus are related, from wherever that is known: files of links, dictionaries,
// synonyms, vectors and features, the words' spelling, and the company that they keep.
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
  std::string vectors, features;  // files; empty: none
  DictionaryOptions dictionary;
  float synonym_weight = 1;
  EmbeddingOptions embedding;
  SpellingLinks spelling = SpellingLinks::kNone;
  EditDistanceOptions edits;
  LexicalSimilarityOptions substrings;
  std::optional<CorpusFiles> company;  // other documents, whose co-occurrences count
  bool own_company = false;            // and those of the corpus itself
  CooccurrenceOptions cooccurrence;

  bool any() const;
  // Throws UsageError.
  void check() const;
};

// What one source has given.
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
  Value record() const;  // words and links of the graph, and what each source has given
};

// Where words are of languages (TextOptions::by_language), what is known of a spelling goes for the
// words of all languages that have it, and these are linked with one another. Throws InputError
// where a file is another than it should be.
FoundRelations find_relations(const Corpus& corpus, const RelationSources& sources, int threads);

}  // namespace trellis::topics
