// How the commands of `topics` are told which words are related.
#pragma once

#include <string>

#include "trellis/frame/command.h"
#include "trellis/tasks/topics/commands/corpus_call.h"
#include "trellis/tasks/topics/word_relations.h"

namespace trellis::topics {

struct RelationsCall {
  RelationSources sources;
  std::string company;  // a file of documents, or "corpus": those at hand
  Index neighbours = 10;
  double min_cosine = 0.5;
  double dictionary_weight = 1, synonym_weight = 1;

  // The options of documents also apply to those in `company`. Throws UsageError.
  RelationSources complete(const SourceCall& documents) const;
};

void add_relations_options(frame::Command& command, RelationsCall& call);

}  // namespace trellis::topics
