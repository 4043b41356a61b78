// Topics for documents that enter a chain of others (document_stages.h).
//
// Their words may be new, all of another language. To the chain a word that no document has yet
// fits all topics alike, or rather the smallest best, by β_w / (n_k + β̄_k); drawn one after
// another, such words would settle where they happen to fall, and take their documents with them.
// So documents are read first by the topics as they stand and by the words that these know
// something of: words of documents that are present, and words with a prior for each topic. These
// words' topics are drawn given φ,
//
//   p(z_i = k | z_¬i, w) ∝ φ_wk (n_dk + α_k),
//
// for some sweeps over the document, and the others' are drawn from the mixture that results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

// Of every token of the chain's documents, kNoTopic for those of documents that do not enter: those
// with a flag. A function of the chain's state, whatever the threads.
std::vector<std::uint16_t> topics_of_newcomers(const LdaChain& chain, const Documents& documents,
                                               std::span<const std::uint8_t> entering, int threads);

}  // namespace trellis::topics
