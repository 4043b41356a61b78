// From files to a corpus: documents are read, tokenised by `threads` threads (0: all cores), and
// numbered in their order, so that the corpus does not depend on the number of threads.
#pragma once

#include <string>
#include <vector>

#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/corpus/corpus_builder.h"
#include "trellis/topics/corpus/document_reader.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {

// Learns the vocabulary. `text` is for formats of text. Throws InputError about the files, also
// where they have no document, or no word remains.
Corpus read_corpus(const std::vector<std::string>& paths, const ReaderOptions& reader = {},
                   const TextOptions& text = {}, const VocabularyOptions& vocabulary = {},
                   int threads = 1);

// New documents in the words of a trained model, with words found as in training (Corpus::text).
// Words that the vocabulary lacks are dropped and counted (tally().outside); documents that become
// empty stay as empty ones (num_empty()). Labels are numbered as they occur here.
Corpus read_corpus_with(const NameList& vocabulary, const std::vector<std::string>& paths,
                        const ReaderOptions& reader, const TextOptions& text, int threads = 1);

// The same for a corpus that is read already: one that was opened from a file.
Corpus in_words_of(const NameList& vocabulary, const Corpus& corpus);

}  // namespace trellis::topics
