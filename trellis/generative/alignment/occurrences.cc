#include "trellis/generative/alignment/occurrences.h"

#include <limits>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis {
namespace {

// visit(e, pair), once for each different word of a sentence.
template <class Visit>
void each_word(const Bitext& bitext, const Visit& visit) {
  std::vector<Index> last(bitext.source_words(), bitext.size());
  for (Index k = 0; k < bitext.size(); ++k) {
    for (const WordId e : bitext[k].source) {
      if (last[e] == k) continue;
      last[e] = k;
      visit(e, k);
    }
  }
}

constexpr Index kWordsAtATime = 256;

}  // namespace

Occurrences::Occurrences(const Bitext& bitext) : begin_(bitext.source_words() + 1, 0) {
  if (bitext.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("a bitext may have at most 2^32 - 1 sentence pairs");
  }
  each_word(bitext, [&](WordId e, Index) { ++begin_[e + 1]; });
  for (Index e = 0; e + 1 < begin_.size(); ++e) begin_[e + 1] += begin_[e];
  pairs_.resize(begin_.back());
  std::vector<Index> next(begin_.begin(), begin_.end() - 1);
  each_word(bitext, [&](WordId e, Index k) { pairs_[next[e]++] = static_cast<std::uint32_t>(k); });
}

Support cooccurring(const Bitext& bitext, const Occurrences& occurrences, int threads) {
  const Index words = bitext.source_words();
  struct Chunk {
    std::vector<WordId> targets;
    std::vector<Index> sizes;
  };
  std::vector<Chunk> chunks((words + kWordsAtATime - 1) / kWordsAtATime);
  const int workers = resolve_threads(threads);
  std::vector<std::vector<std::uint8_t>> seen(static_cast<Index>(workers),
                                              std::vector<std::uint8_t>(bitext.target_words(), 0));
  parallel_for(chunks.size(), workers, [&](Index c, int worker) {
    std::vector<std::uint8_t>& mark = seen[static_cast<Index>(worker)];
    Chunk& chunk = chunks[c];
    std::vector<WordId> row;
    for (Index e = c * kWordsAtATime; e < std::min(words, (c + 1) * kWordsAtATime); ++e) {
      row.clear();
      for (const std::uint32_t k : occurrences.of(e)) {
        for (const WordId f : bitext[k].target) {
          if (mark[f] != 0) continue;
          mark[f] = 1;
          row.push_back(f);
        }
      }
      for (const WordId f : row) mark[f] = 0;
      std::sort(row.begin(), row.end());
      chunk.targets.insert(chunk.targets.end(), row.begin(), row.end());
      chunk.sizes.push_back(row.size());
    }
  });
  Support support;
  Index total = 0;
  for (const Chunk& chunk : chunks) total += chunk.targets.size();
  if (total >= std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("more than 2^32 - 2 pairs of words occur together");
  }
  support.targets.reserve(total);
  support.begin.push_back(0);
  for (Chunk& chunk : chunks) {
    support.targets.insert(support.targets.end(), chunk.targets.begin(), chunk.targets.end());
    for (const Index size : chunk.sizes) support.begin.push_back(support.begin.back() + size);
    chunk = {};
  }
  return support;
}

}  // namespace trellis
