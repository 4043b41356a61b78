// Where the documents of a corpus are: text and counts as they lie in files, or a corpus that was
// written before (corpus/corpus.h).
#pragma once

#include <string>
#include <vector>

#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/corpus/corpus_builder.h"
#include "trellis/topics/corpus/document_reader.h"

namespace trellis::topics {

struct CorpusFiles {
  std::vector<std::string> paths;
  ReaderOptions reader;

  // One file, which is a corpus already: its words and how they were found are settled.
  bool is_corpus() const;
};

// Learns the vocabulary, unless it is a corpus, which `text` and `vocabulary` say nothing about.
Corpus read_training_corpus(const CorpusFiles& files, const TextOptions& text,
                            const VocabularyOptions& vocabulary, int threads);

// New documents in words that are known, found as `text` says.
Corpus read_new_documents(const CorpusFiles& files, const NameList& words, const TextOptions& text,
                          int threads);

}  // namespace trellis::topics
