// Links of every word, found in parallel and given to the graph in the order of words.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::topics {

// Throw UsageError: where the graph is over another number of words; unless a word may have a
// neighbour and the least similarity is in (0, 1], as a link must have a weight.
void require_same_vocabulary(Index num_words, const WordGraphBuilder& graph);
void check_nearest(Index neighbours, double least_similarity);

// Appends links of the word to `found`, in any order; worker says whose scratch memory to use.
using FindLinks =
    std::function<void(std::uint32_t word, int worker, std::vector<WordGraph::Link>& found)>;

// Adds, for each word of the graph, the `most` strongest of the links that are found; of equals,
// those to the lower words. Since either of two words may be among the nearest of the other, a word
// can have more than `most` links in the end. Returns how many were added. Same result for any
// number of threads, if each call of `find` has the same. Memory: 8 bytes a link beside the
// graph's, and a vector for each word.
Index add_strongest_links(Index most, int threads, const FindLinks& find, WordGraphBuilder& graph);

}  // namespace trellis::topics
