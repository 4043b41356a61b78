// Which words of a vocabulary are related, and how much: an undirected graph with weights φ_uv > 0
// (Petterson 2011, sec. 6.2.2), from which the prior of word-feature LDA has its smoothness,
// Σ_uv φ_uv Σ_k (y_ku − y_kv)².
//
// Memory: 16 bytes an edge and 8 a word. The builder has 12 bytes for each edge that it is given
// and sorts them in build(): a second for some ten million.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis::topics {

// Throws UsageError unless the weight of an edge is finite and above 0.
void require_edge_weight(float weight);

// Immutable.
class WordGraph {
 public:
  struct Link {
    std::uint32_t word;
    float weight;

    friend bool operator==(const Link&, const Link&) = default;
  };

  explicit WordGraph(Index num_words = 0);  // without an edge

  Index num_words() const { return begin_.size() - 1; }
  Index num_edges() const { return links_.size() / 2; }  // each once
  // By rising word; symmetric; never to itself.
  std::span<const Link> links(Index word) const {
    return std::span(links_).subspan(begin_[word], begin_[word + 1] - begin_[word]);
  }
  bool linked(Index word) const { return begin_[word] != begin_[word + 1]; }

  friend bool operator==(const WordGraph&, const WordGraph&) = default;

 private:
  friend class WordGraphBuilder;

  std::vector<std::uint64_t> begin_;  // of a word's links; one more than there are words
  std::vector<Link> links_;
};

// Edges may be added twice, in either direction: the larger weight counts.
class WordGraphBuilder {
 public:
  explicit WordGraphBuilder(Index num_words);

  Index num_words() const { return num_words_; }
  // An edge of a word to itself is passed over. Throws UsageError unless the words are below
  // num_words and the weight is finite and above 0.
  void add(std::uint32_t u, std::uint32_t v, float weight);
  // The graph of what was added; the builder is then without an edge.
  WordGraph build();

 private:
  struct Edge {
    std::uint32_t low;
    std::uint32_t high;
    float weight;
  };
  void merge_repeated();

  Index num_words_;
  std::vector<Edge> edges_;
};

}  // namespace trellis::topics
