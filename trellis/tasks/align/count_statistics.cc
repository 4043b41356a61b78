#include "trellis/tasks/align/count_statistics.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "trellis/base/parallel.h"
#include "trellis/generative/alignment/association.h"
#include "trellis/generative/alignment/cooccurrence.h"

namespace trellis::align {
namespace {

using Set = BigramPatterns::Set;
using Pattern = BigramPatterns::Pattern;

constexpr Index kBands = 16;                          // bands of first words
constexpr Index kLeastTokensInBand = Index{1} << 16;  // and at least this many tokens in a band
constexpr Index kPairsAtATime = Index{1} << 14;       // between two messages

// Selects the sentence of one side of a pair.
using WordsOf = std::span<const WordId> WordPair::*;

// Thread-safe.
void increment(std::uint32_t& count) {
  std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
}

std::vector<float> shares_of(std::span<const std::uint32_t> counts,
                             std::span<const std::uint32_t> totals, Index each) {
  std::vector<float> shares(counts.size(), 0);
  for (Index x = 0; x < counts.size(); ++x) {
    if (counts[x] == 0) continue;
    shares[x] = static_cast<float>(static_cast<double>(counts[x]) / totals[x / each]);
  }
  return shares;
}

// Pairs of consecutive words, ascending, with their frequencies.
struct Bigrams {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> counts;
};

// The pairs whose first word is in [begin, end) and that occur at least `frequent` times.
Bigrams count_band(const Bitext& bitext, WordsOf side, Index begin, Index end, Index tokens,
                   Index frequent) {
  std::vector<std::uint64_t> seen;
  seen.reserve(tokens);
  for (Index k = 0; k < bitext.size(); ++k) {
    const std::span<const WordId> words = bitext[k].*side;
    for (Index i = 0; i + 1 < words.size(); ++i) {
      if (words[i] < begin || words[i] >= end) continue;
      seen.push_back(BigramPatterns::key(words[i], words[i + 1]));
    }
  }
  std::sort(seen.begin(), seen.end());
  Bigrams found;
  for (auto first = seen.begin(); first != seen.end();) {
    const auto next = std::upper_bound(first, seen.end(), *first);
    if (static_cast<Index>(next - first) >= frequent) {
      found.keys.push_back(*first);
      found.counts.push_back(static_cast<std::uint32_t>(next - first));
    }
    first = next;
  }
  return found;
}

// Processes one band of first words at a time, so that memory is a fraction of the text.
Bigrams frequent_bigrams(const Bitext& bitext, WordsOf side, std::span<const std::uint32_t> counts,
                         const CountOptions& options) {
  const Index all_tokens = std::accumulate(counts.begin(), counts.end(), Index{0});
  const Index enough = std::max(kLeastTokensInBand, all_tokens / kBands);
  std::vector<Index> begin = {0}, tokens = {0};  // of bands
  for (Index word = 0; word < counts.size(); ++word) {
    tokens.back() += counts[word];
    if (tokens.back() < enough && word + 1 < counts.size()) continue;
    begin.push_back(word + 1);
    tokens.push_back(0);
  }
  std::vector<Bigrams> bands(begin.size() - 1);
  parallel_for(bands.size(), options.threads, [&](Index band, int) {
    if (options.stop.stop_requested()) return;
    bands[band] =
        count_band(bitext, side, begin[band], begin[band + 1], tokens[band], options.frequent);
  });
  Bigrams all;
  for (Bigrams& band : bands) {
    all.keys.insert(all.keys.end(), band.keys.begin(), band.keys.end());
    all.counts.insert(all.counts.end(), band.counts.begin(), band.counts.end());
    band = {};
  }
  return all;
}

// Counts for the words of one side.
class SideCounts {
 public:
  SideCounts(const Bitext& bitext, WordsOf side, std::span<const std::uint32_t> tokens,
             const CountOptions& options)
      : tokens_(tokens),
        bigrams_(frequent_bigrams(bitext, side, tokens, options)),
        patterns_(bigrams_.keys.size() * BigramPatterns::kShares, 0),
        several_(tokens.size(), 0) {}

  // `patterns`: for each word, a bit for each share of it and the next word; `links`: its number of
  // links in the direction that allows several. Thread-safe.
  void add(std::span<const WordId> words, std::span<const std::uint16_t> patterns,
           std::span<const std::uint32_t> links) {
    for (Index i = 0; i < words.size(); ++i) {
      if (links[i] > 1) increment(several_[words[i]]);
      if (i + 1 < words.size() && patterns[i] != 0)
        add_patterns(words[i], words[i + 1], patterns[i]);
    }
  }

  BigramPatterns patterns() const {
    return {bigrams_.keys, shares_of(patterns_, bigrams_.counts, BigramPatterns::kShares)};
  }
  std::vector<float> several() const { return shares_of(several_, tokens_, 1); }

 private:
  void add_patterns(WordId first, WordId second, std::uint16_t patterns) {
    const std::uint64_t key = BigramPatterns::key(first, second);
    const auto found = std::lower_bound(bigrams_.keys.begin(), bigrams_.keys.end(), key);
    if (found == bigrams_.keys.end() || *found != key) return;
    const Index begin = static_cast<Index>(found - bigrams_.keys.begin()) * BigramPatterns::kShares;
    for (Index x = 0; x < BigramPatterns::kShares; ++x) {
      if ((patterns >> x & 1U) != 0) increment(patterns_[begin + x]);
    }
  }

  std::span<const std::uint32_t> tokens_;
  Bigrams bigrams_;
  std::vector<std::uint32_t> patterns_, several_;
};

// The best alignments of one pair, and their counts for its words.
class PairLinks {
 public:
  void find(const WordAligner& aligner, const WordPair& pair) {
    aligner.maximize(pair, scratch_, a_, b_);
    source_patterns.assign(b_.size(), 0);
    target_patterns.assign(a_.size(), 0);
    source_links.assign(b_.size(), 0);
    target_links.assign(a_.size(), 0);
    for (Index j = 0; j < a_.size(); ++j) {
      if (a_[j] == kNoLabel) continue;
      const auto i = static_cast<Index>(a_[j]);
      ++source_links[i];
      mark(BigramPatterns::kForward, i, j);
      if (has(BigramPatterns::kReverse, i, j)) mark(BigramPatterns::kIntersection, i, j);
    }
    for (Index i = 0; i < b_.size(); ++i) {
      if (b_[i] == kNoLabel) continue;
      const auto j = static_cast<Index>(b_[i]);
      ++target_links[j];
      mark(BigramPatterns::kReverse, i, j);
    }
  }

  // By word, as arguments of SideCounts::add().
  std::vector<std::uint16_t> source_patterns, target_patterns;
  std::vector<std::uint32_t> source_links, target_links;

 private:
  bool has(Set set, Index i, Index j) const {
    if (i >= b_.size() || j >= a_.size()) return false;
    return (set == BigramPatterns::kReverse || a_[j] == static_cast<Label>(i)) &&
           (set == BigramPatterns::kForward || b_[i] == static_cast<Label>(j));
  }

  // Marks the patterns in which (i, j) is the link of the first source word, or of both words.
  void mark(Set set, Index i, Index j) {
    const auto bit = [&](Pattern pattern) {
      return static_cast<std::uint16_t>(1U << BigramPatterns::place(set, pattern));
    };
    const auto add = [](std::uint16_t& patterns, std::uint16_t more) {
      patterns = static_cast<std::uint16_t>(patterns | more);
    };
    if (has(set, i + 1, j + 1)) {
      add(source_patterns[i], bit(BigramPatterns::kMonotone));
      add(target_patterns[j], bit(BigramPatterns::kMonotone));
    }
    if (j > 0 && has(set, i + 1, j - 1)) {
      add(source_patterns[i], bit(BigramPatterns::kInverted));
      add(target_patterns[j - 1], bit(BigramPatterns::kInverted));
    }
    if (has(set, i + 1, j)) add(source_patterns[i], bit(BigramPatterns::kShared));
    if (has(set, i, j + 1)) add(target_patterns[j], bit(BigramPatterns::kShared));
  }

  WordAligner::Scratch scratch_;
  std::vector<Label> a_, b_;
};

std::vector<float> dice_of(const Bitext& bitext, const LexiconView& lexicon,
                           const TextStatistics& counted, int threads) {
  const std::vector<std::uint32_t> both =
      count_cooccurrences(bitext, lexicon.row_begin, lexicon.targets, threads);
  std::vector<float> shares(both.size());
  for (Index e = 0; e + 1 < lexicon.row_begin.size(); ++e) {
    for (Index x = lexicon.row_begin[e]; x < lexicon.row_begin[e + 1]; ++x) {
      shares[x] = static_cast<float>(
          dice(both[x], counted.source_counts[e], counted.target_counts[lexicon.targets[x]]));
    }
  }
  return shares;
}

}  // namespace

std::optional<TextStatistics> count_statistics(const Bitext& bitext, const WordAligner& aligner,
                                               const CountOptions& options) {
  const LexiconView& lexicon = aligner.lexicon();
  TextStatistics found;
  found.frequent = options.frequent;
  found.source_counts = token_counts(bitext.source_tokens(), lexicon.null_reverse.size());
  found.target_counts = token_counts(bitext.target_tokens(), lexicon.null_forward.size());
  SideCounts source(bitext, &WordPair::source, found.source_counts, options);
  SideCounts target(bitext, &WordPair::target, found.target_counts, options);
  std::vector<PairLinks> links(static_cast<Index>(resolve_threads(options.threads)));
  for (Index done = 0; done < bitext.size() && !options.stop.stop_requested();) {
    const Index now = std::min(kPairsAtATime, bitext.size() - done);
    parallel_for(now, options.threads, [&](Index k, int worker) {
      const WordPair pair = bitext[done + k];
      if (pair.cells() == 0 || options.stop.stop_requested()) return;
      PairLinks& mine = links[static_cast<Index>(worker)];
      mine.find(aligner, pair);
      source.add(pair.source, mine.source_patterns, mine.source_links);
      target.add(pair.target, mine.target_patterns, mine.target_links);
    });
    done += now;
    if (options.on_progress) options.on_progress(done, bitext.size());
  }
  if (options.stop.stop_requested()) return std::nullopt;
  found.source = source.patterns();
  found.target = target.patterns();
  found.source_several = source.several();
  found.target_several = target.several();
  found.dice = dice_of(bitext, lexicon, found, options.threads);
  return found;
}

}  // namespace trellis::align
