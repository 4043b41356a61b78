// What a topic model stores about words besides topics: links, the resulting priors, and languages.
// topic_model.h describes the sections of the model file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/word_languages.h"
#include "trellis/topics/lda/word_prior.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

struct ModelLanguages {
  NameList names;
  WordLanguages words;
};

// A graph in the form of the file; must outlive the writing.
class StoredGraph {
 public:
  explicit StoredGraph(const WordGraph& graph);
  void add_to(ModelWriter& writer) const;

 private:
  std::vector<std::uint32_t> low_, high_;
  std::vector<float> weights_;
};

void add_prior_rows(ModelWriter& writer, const PriorRows& rows);
void add_languages(ModelWriter& writer, const ModelLanguages& languages);

// These throw UsageError or InputError for an invalid file.
WordGraph read_graph(const ModelReader& reader, Index num_words);
PriorRows read_prior_rows(const ModelReader& reader);
WordParts read_parts(const ModelReader& reader, Index num_words);
std::optional<ModelLanguages> read_languages(const ModelReader& reader, Index num_words);

}  // namespace trellis::topics
