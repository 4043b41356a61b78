// Links between words that occur in the same documents more often than by chance, by normalised
// pointwise mutual information (Bouma 2009),
//
//   NPMI(a, b) = log (P(a,b) / (P(a) P(b))) / −log P(a,b)   in [−1, 1],
//
// where P is the share of documents that have a word, or both. Words that share every document have
// no NPMI: this gives no information. A word is linked with the k others of the largest NPMI, of at
// least a threshold and with enough documents in common, and the NPMI is the weight of the link.
// Coherence (coherence.h) is the mean of the same values, apart from its ε.
//
// Time: O(Σ_d n_d²) for n_d different words in document d, by inverted lists. Memory: 8 bytes for
// each of these n_d, and 4 V for each thread. Logarithms are portable.
#pragma once

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

struct CooccurrenceOptions {
  Index neighbours = 10;   // of a word, at least 1
  double min_npmi = 0.3;   // in (0, 1]
  Index min_together = 5;  // documents that have both, at least 1
  float weight = 1;        // of a link of NPMI 1: finite, > 0

  // Throws UsageError.
  void check() const;
};

// The documents are in the graph's vocabulary. Same result for any number of threads.
LinkTally add_cooccurrence_links(const Documents& documents, const CooccurrenceOptions& options,
                                 int threads, WordGraphBuilder& graph);

}  // namespace trellis::topics
