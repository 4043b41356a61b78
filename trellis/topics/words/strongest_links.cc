#include "trellis/topics/words/strongest_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::topics {
namespace {

bool is_stronger(const WordGraph::Link& a, const WordGraph::Link& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.word < b.word;
}

}  // namespace

void require_same_vocabulary(Index num_words, const WordGraphBuilder& graph) {
  if (num_words == graph.num_words()) return;
  throw UsageError(fmt::format("the graph is over {} words, the vocabulary has {}",
                               graph.num_words(), num_words));
}

void check_nearest(Index neighbours, double least_similarity) {
  if (neighbours == 0) throw UsageError("the number of neighbours must be at least 1");
  if (!(least_similarity > 0) || least_similarity > 1) {
    throw UsageError(
        fmt::format("the minimum similarity of linked words must be above 0 and at most 1, not {}",
                    least_similarity));
  }
}

Index add_strongest_links(Index most, int threads, const FindLinks& find, WordGraphBuilder& graph) {
  using Links = std::vector<WordGraph::Link>;
  const Index num_words = graph.num_words();
  std::vector<Links> links(num_words);
  const int workers = resolve_threads(threads);
  std::vector<Links> found(static_cast<Index>(workers));
  parallel_for(num_words, workers, [&](Index word, int worker) {
    Links& all = found[static_cast<Index>(worker)];
    all.clear();
    find(static_cast<std::uint32_t>(word), worker, all);
    const Index count = std::min(most, all.size());
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(all.begin(), end, all.end(), is_stronger);
    links[word].assign(all.begin(), end);
  });
  Index added = 0;
  for (Index word = 0; word < num_words; ++word) {
    for (const WordGraph::Link& link : links[word]) {
      graph.add(static_cast<std::uint32_t>(word), link.word, link.weight);
    }
    added += links[word].size();
  }
  return added;
}

}  // namespace trellis::topics
