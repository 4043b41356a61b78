// Links between words that look alike: by the cosine of their profiles, how often each substring of
// 2 to 4 characters occurs in ^word$, where ^ and $ mark its ends (Petterson 2011, sec. 6.5.1).
// "political" and "politician" have much in common, and a word and its plural nearly everything.
//
// A word is linked with the k nearest of at least a threshold, and the link has their cosine for
// its weight. Dot products are those of whole numbers and exact; they come from inverted lists, in
// O(Σ_g n_g²) for n_g words with the substring g: a quarter of a minute on one core for 50 000
// words. Memory: some 30 bytes for each substring of a word, and 8 V for each thread.
#pragma once

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/wordlda/word_graph.h"
#include "trellis/topics/words/link_tally.h"

namespace trellis::topics {

struct LexicalSimilarityOptions {
  static constexpr Index kShortest = 2, kLongest = 4;  // substrings, in characters

  Index neighbours = 10;    // of a word, at least 1
  double min_cosine = 0.5;  // in (0, 1]
  float weight = 1;         // of a link of cosine 1: finite, > 0

  // Throws UsageError.
  void check() const;
};

// The vocabulary is the graph's. Same result for any number of threads.
LinkTally add_lexical_links(const NameView& vocabulary, const LexicalSimilarityOptions& options,
                            int threads, WordGraphBuilder& graph);

}  // namespace trellis::topics
