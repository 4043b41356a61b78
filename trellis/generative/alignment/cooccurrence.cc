#include "trellis/generative/alignment/cooccurrence.h"

#include <algorithm>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/generative/alignment/occurrences.h"

namespace trellis {
namespace {

// The target words of one source word at a time, with their counts.
class Row {
 public:
  explicit Row(Index target_words) : count_(target_words, 0), in_sentence_(target_words, 0) {}

  // Σ over sentences of min(#e, #f), for all f of its sentences, which are left in `words`, in any
  // order.
  void fill(const Bitext& bitext, WordId e, std::span<const std::uint32_t> pairs) {
    for (const WordId f : words_) count_[f] = 0;
    words_.clear();
    for (const std::uint32_t k : pairs) {
      const WordPair pair = bitext[k];
      const auto times =
          static_cast<std::uint32_t>(std::count(pair.source.begin(), pair.source.end(), e));
      for (const WordId f : pair.target) {
        if (in_sentence_[f]++ >= times) continue;
        if (count_[f]++ == 0) words_.push_back(f);
      }
      for (const WordId f : pair.target) in_sentence_[f] = 0;
    }
  }
  void sort() { std::sort(words_.begin(), words_.end()); }
  std::span<const WordId> words() const { return words_; }
  std::uint32_t count(WordId f) const { return f < count_.size() ? count_[f] : 0; }

 private:
  std::vector<std::uint32_t> count_, in_sentence_;
  std::vector<WordId> words_;
};

// Source words that are worked on together: what one thread does before the next.
constexpr Index kWordsInChunk = 256;

Index num_chunks(Index words) {
  return (words + kWordsInChunk - 1) / kWordsInChunk;
}

}  // namespace

std::vector<std::uint32_t> token_counts(std::span<const WordId> tokens, Index words) {
  std::vector<std::uint32_t> counts(words, 0);
  for (const WordId word : tokens) ++counts[word];
  return counts;
}

std::vector<std::uint32_t> count_cooccurrences(const Bitext& bitext,
                                               std::span<const Index> row_begin,
                                               std::span<const WordId> targets, int threads) {
  const Occurrences occurrences(bitext);
  std::vector<std::uint32_t> counts(targets.size(), 0);
  const Index words = std::min(bitext.source_words(), row_begin.size() - 1);
  const int workers = resolve_threads(threads);
  std::vector<Row> rows(static_cast<Index>(workers), Row(bitext.target_words()));
  parallel_for(num_chunks(words), workers, [&](Index c, int worker) {
    Row& row = rows[static_cast<Index>(worker)];
    for (Index e = c * kWordsInChunk; e < std::min(words, (c + 1) * kWordsInChunk); ++e) {
      if (row_begin[e] == row_begin[e + 1]) continue;
      row.fill(bitext, static_cast<WordId>(e), occurrences.of(e));
      for (Index x = row_begin[e]; x < row_begin[e + 1]; ++x) counts[x] = row.count(targets[x]);
    }
  });
  return counts;
}

Cooccurrence count_cooccurrences(const Bitext& bitext, int threads) {
  const Occurrences occurrences(bitext);
  Cooccurrence found;
  found.source_counts = token_counts(bitext.source_tokens(), bitext.source_words());
  found.target_counts = token_counts(bitext.target_tokens(), bitext.target_words());

  struct Chunk {
    std::vector<WordId> targets;
    std::vector<std::uint32_t> counts;
    std::vector<Index> sizes;
  };
  const Index words = bitext.source_words();
  std::vector<Chunk> chunks(num_chunks(words));
  const int workers = resolve_threads(threads);
  std::vector<Row> rows(static_cast<Index>(workers), Row(bitext.target_words()));
  parallel_for(chunks.size(), workers, [&](Index c, int worker) {
    Row& row = rows[static_cast<Index>(worker)];
    Chunk& chunk = chunks[c];
    for (Index e = c * kWordsInChunk; e < std::min(words, (c + 1) * kWordsInChunk); ++e) {
      row.fill(bitext, static_cast<WordId>(e), occurrences.of(e));
      row.sort();
      for (const WordId f : row.words()) {
        chunk.targets.push_back(f);
        chunk.counts.push_back(row.count(f));
      }
      chunk.sizes.push_back(row.words().size());
    }
  });

  Index total = 0;
  for (const Chunk& chunk : chunks) total += chunk.targets.size();
  if (total >= std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("more than 2^32 - 2 pairs of words occur together");
  }
  found.targets.reserve(total);
  found.counts.reserve(total);
  found.row_begin.push_back(0);
  for (Chunk& chunk : chunks) {
    found.targets.insert(found.targets.end(), chunk.targets.begin(), chunk.targets.end());
    found.counts.insert(found.counts.end(), chunk.counts.begin(), chunk.counts.end());
    for (const Index size : chunk.sizes) found.row_begin.push_back(found.row_begin.back() + size);
    chunk = {};
  }
  return found;
}

}  // namespace trellis
