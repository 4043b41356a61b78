#include "trellis/topics/wordlda/word_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::topics {

void require_edge_weight(float weight) {
  if (!std::isfinite(weight) || !(weight > 0)) {
    throw UsageError(
        fmt::format("the weight of an edge must be finite and above 0, not {}", weight));
  }
}

WordGraph::WordGraph(Index num_words) : begin_(num_words + 1) {}

WordGraphBuilder::WordGraphBuilder(Index num_words) : num_words_(num_words) {
  // The largest number is NameList::kNone.
  if (num_words >= (Index{1} << 32)) {
    throw UsageError(
        fmt::format("a word graph must have fewer than 2^32 words, not {}", num_words));
  }
}

void WordGraphBuilder::add(std::uint32_t u, std::uint32_t v, float weight) {
  if (std::max(u, v) >= num_words_) {
    throw UsageError(fmt::format("an edge has the word {}, but the vocabulary has only {} words",
                                 std::max(u, v), num_words_));
  }
  require_edge_weight(weight);
  if (u == v) return;
  edges_.push_back({std::min(u, v), std::max(u, v), weight});
}

// Leaves the edges sorted, each once.
void WordGraphBuilder::merge_repeated() {
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, b.weight) < std::tie(b.low, b.high, a.weight);
  });
  const auto same = [](const Edge& a, const Edge& b) { return a.low == b.low && a.high == b.high; };
  edges_.erase(std::unique(edges_.begin(), edges_.end(), same), edges_.end());
}

WordGraph WordGraphBuilder::build() {
  merge_repeated();
  const std::vector<Edge> edges = std::exchange(edges_, {});
  WordGraph graph(num_words_);
  for (const Edge& edge : edges) {
    ++graph.begin_[edge.low + 1];
    ++graph.begin_[edge.high + 1];
  }
  for (Index word = 0; word < num_words_; ++word) graph.begin_[word + 1] += graph.begin_[word];

  // Edges are sorted by their lower and then by their higher word: first every word has its lower
  // neighbours, in their order, then the higher ones.
  graph.links_.resize(2 * edges.size());
  std::vector<std::uint64_t> next(graph.begin_.begin(), graph.begin_.end() - 1);
  for (const Edge& edge : edges) graph.links_[next[edge.high]++] = {edge.low, edge.weight};
  for (const Edge& edge : edges) graph.links_[next[edge.low]++] = {edge.high, edge.weight};
  return graph;
}

}  // namespace trellis::topics
