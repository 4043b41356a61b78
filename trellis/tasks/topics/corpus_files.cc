#include "trellis/tasks/topics/corpus_files.h"

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/topics/corpus/read_corpus.h"

namespace trellis::topics {

bool CorpusFiles::is_corpus() const {
  return paths.size() == 1 && is_corpus_file(paths.front());
}

Corpus read_training_corpus(const CorpusFiles& files, const TextOptions& text,
                            const VocabularyOptions& vocabulary, int threads) {
  text.check();
  vocabulary.check();
  files.reader.check();
  require_readable(files.paths);
  if (!files.is_corpus()) {
    return read_corpus(files.paths, files.reader, text, vocabulary, threads);
  }
  Corpus corpus = Corpus::open(files.paths.front());
  if (corpus.documents().num_tokens() == 0) {
    throw InputError(files.paths.front(), 0, "expected words, found none");
  }
  return corpus;
}

Corpus read_new_documents(const CorpusFiles& files, const NameList& words, const TextOptions& text,
                          int threads) {
  files.reader.check();
  require_readable(files.paths);
  if (files.is_corpus()) return in_words_of(words, Corpus::open(files.paths.front()));
  return read_corpus_with(words, files.paths, files.reader, text, threads);
}

}  // namespace trellis::topics
