// The files of a corpus: text and counts in separate files, or one file with a written corpus
// (corpus/corpus.h).
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

  // Whether it is one file with a corpus, whose words and options of text are fixed.
  bool is_corpus() const;
};

// Learns the vocabulary; for a written corpus, `text` and `vocabulary` are ignored.
Corpus read_training_corpus(const CorpusFiles& files, const TextOptions& text,
                            const VocabularyOptions& vocabulary, int threads);

// Reads new documents with known words, split according to `text`.
Corpus read_new_documents(const CorpusFiles& files, const NameList& words, const TextOptions& text,
                          int threads);

}  // namespace trellis::topics
