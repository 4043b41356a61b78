// Links between words whose vectors have similar directions: embeddings from other programs.
//
// The text format is word2vec's, which GloVe and fastText share: a line is a word and its D values,
// separated by blanks. The first line may state the numbers of words and values, "V D": it does if
// it is two integers. There are no comments ("#" is a word). word_finder.h describes how words are
// found; if a file has several spellings of a word ("Paris", "paris"), the one written as in the
// vocabulary counts, and otherwise the first. Plain, gzip or zstd.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/topics/corpus/word_finder.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

// Those of words of the vocabulary, of length 1, in the order in which words were met first.
struct WordVectors {
  Index dimensions = 0;
  std::vector<std::uint32_t> words;  // each once
  std::vector<float> values;         // a row of `dimensions` for each
  LinkTally tally;                   // without links
};

// Throws InputError if a line has another number of values than the first line states, a value of a
// word of the vocabulary is not a finite number or all of them are 0, such a word occurs twice, or
// there are not V words. The values of other words are counted, not read.
WordVectors read_word_vectors(InputFile file, WordFinder& words);

struct EmbeddingOptions {
  Index neighbours = 10;    // of a word, at least 1
  double min_cosine = 0.5;  // in (0, 1]
  float weight = 1;         // of a link of cosine 1: finite, > 0

  // Throws UsageError.
  void check() const;
};

// Links each word with the nearest by cosine, of at least a threshold; the link has the cosine for
// its weight. Exact, in O(n² D) (embedding/neighbours.h). Same result for any number of threads.
// Returns the vectors' tally with the links.
LinkTally add_embedding_links(const WordVectors& vectors, const EmbeddingOptions& options,
                              int threads, WordGraphBuilder& graph);

}  // namespace trellis::topics
