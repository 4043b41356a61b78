// What a topic model knows of its words beside their topics: which are linked, the priors that come
// of it, and the languages that they are of.
#pragma once

#include <optional>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/frame/model_schema.h"
#include "trellis/topics/corpus/word_languages.h"
#include "trellis/topics/lda/word_prior.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

struct ModelLanguages {
  NameList names;
  WordLanguages words;
};

void describe_graph(ModelArchive& a, std::optional<WordGraph>& graph, Index num_words);
void describe_prior_rows(ModelArchive& a, PriorRows& rows);
void describe_parts(ModelArchive& a, WordParts& parts, Index num_words);
void describe_languages(ModelArchive& a, std::optional<ModelLanguages>& languages, Index num_words);

}  // namespace trellis::topics
