// Topics for documents that enter a chain of others (document_stages.h).
//
// Their words may be new, all of another language. For the chain, a word without documents fits all
// topics equally, or rather the smallest best, by β_w / (n_k + β̄_k); drawn one after another, such
// words would stay at random topics, and their documents with them. So the inference of a document
// first uses the current topics and the words known to these: words of documents that are present,
// and words with a prior for each topic. The topics of these words are drawn given φ,
//
//   p(z_i = k | z_¬i, w) ∝ φ_wk (n_dk + α_k),
//
// for some sweeps over the document, and those of the other words from the resulting mixture.
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
