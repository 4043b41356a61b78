// Links of every word, found in parallel and added to the graph in the order of words.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

// Throw UsageError: if the graph is over another number of words; unless a word may have a
// neighbour and the least similarity is in (0, 1], because a link must have a weight.
void require_same_vocabulary(Index num_words, const WordGraphBuilder& graph);
void check_nearest(Index neighbours, double least_similarity);

// Appends links of the word to `found`, in any order; `worker` selects the scratch memory.
using FindLinks =
    std::function<void(std::uint32_t word, int worker, std::vector<WordGraph::Link>& found)>;

// Adds, for each word of the graph, the `most` strongest of the links that `find` returns; of equal
// ones, those to the lower words. A word can be among the nearest of many others, so it can have
// more than `most` links in the end. Returns the number of links added. Same result for any number
// of threads, if `find` is deterministic. Memory: 8 bytes per link in addition to the graph's, and
// a vector for each word.
Index add_strongest_links(Index most, int threads, const FindLinks& find, WordGraphBuilder& graph);

}  // namespace trellis::topics
