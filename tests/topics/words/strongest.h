// The k strongest links of each word from a table of all likenesses, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "trellis/topics/wordlda/word_graph.h"

namespace trellis::testing {

// weight(u, v) ≤ 0: no link.
inline topics::WordGraph strongest_by_sorting(Index num_words, Index most,
                                              const std::function<float(Index, Index)>& weight) {
  topics::WordGraphBuilder graph(num_words);
  for (Index u = 0; u < num_words; ++u) {
    std::vector<std::pair<float, std::uint32_t>> all;
    for (Index v = 0; v < num_words; ++v) {
      const float w = u == v ? 0 : weight(u, v);
      if (w > 0) all.emplace_back(-w, static_cast<std::uint32_t>(v));
    }
    std::sort(all.begin(), all.end());
    for (Index i = 0; i < std::min(most, all.size()); ++i) {
      graph.add(static_cast<std::uint32_t>(u), all[i].second, -all[i].first);
    }
  }
  return graph.build();
}

}  // namespace trellis::testing
