#include "trellis/tasks/align/model/statistics_sections.h"

#include <string>

namespace trellis::align {
namespace {

void describe_patterns(ModelArchive& a, const std::string& side, BigramPatterns& patterns) {
  std::span<const std::uint64_t> keys = patterns.keys();
  std::span<const float> shares = patterns.shares();
  a.array("statistics/" + side + "_bigrams", keys, {},
          "words that follow each other: first · 2³² + second, ascending");
  a.array("statistics/" + side + "_shares", shares, {}, "nine of each of these pairs");
  a.check([&] {
    patterns = BigramPatterns({keys.begin(), keys.end()}, {shares.begin(), shares.end()});
  });
}

}  // namespace

void describe_statistics(ModelArchive& a, TextStatistics& statistics) {
  a.record("statistics", [&] {
    a.number("frequent", statistics.frequent, {}, "least occurrences of words in `_bigrams`");
  });
  a.array("statistics/source_counts", statistics.source_counts, {}, "tokens of each source word");
  a.array("statistics/target_counts", statistics.target_counts, {}, "tokens of each target word");
  a.array("statistics/dice", statistics.dice, {}, "by entry of the lexicon");
  describe_patterns(a, "source", statistics.source);
  describe_patterns(a, "target", statistics.target);
  a.array("statistics/source_several", statistics.source_several, {},
          "by source word: share of its tokens with several links");
  a.array("statistics/target_several", statistics.target_several, {},
          "by target word: share of its tokens with several links");
}

}  // namespace trellis::align
