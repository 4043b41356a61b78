#include "trellis/tasks/align/model/text_statistics.h"

#include <algorithm>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::align {
namespace {

// NaN is not a valid share.
bool are_shares(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float p) { return p >= 0 && p <= 1; });
}

// Whether all word numbers are valid.
bool below(const BigramPatterns& patterns, Index words) {
  const std::span<const std::uint64_t> keys = patterns.keys();
  return std::all_of(keys.begin(), keys.end(), [&](std::uint64_t key) {
    return (key >> 32) < words && (key & 0xFFFFFFFFU) < words;
  });
}

}  // namespace

BigramPatterns::BigramPatterns(std::vector<std::uint64_t> keys, std::vector<float> shares)
    : keys_(std::move(keys)), shares_(std::move(shares)) {
  const auto not_rising = [](std::uint64_t a, std::uint64_t b) { return a >= b; };
  if (std::adjacent_find(keys_.begin(), keys_.end(), not_rising) != keys_.end()) {
    throw UsageError("pairs of consecutive words are not sorted");
  }
  if (shares_.size() / kShares != keys_.size() || shares_.size() % kShares != 0 ||
      !are_shares(shares_)) {
    throw UsageError("the shares of pairs of consecutive words do not fit their number");
  }
}

std::span<const float> BigramPatterns::find(WordId first, WordId second) const {
  const auto found = std::lower_bound(keys_.begin(), keys_.end(), key(first, second));
  if (found == keys_.end() || *found != key(first, second)) return {};
  return std::span(shares_).subspan(static_cast<Index>(found - keys_.begin()) * kShares, kShares);
}

void check(const TextStatistics& statistics, Index source_words, Index target_words,
           Index entries) {
  const bool whole = statistics.source_counts.size() == source_words &&
                     statistics.target_counts.size() == target_words &&
                     statistics.source_several.size() == source_words &&
                     statistics.target_several.size() == target_words &&
                     statistics.dice.size() == entries && statistics.frequent > 0;
  if (!whole) throw UsageError("the statistics of the text are not those of the model's words");
  if (!are_shares(statistics.dice) || !are_shares(statistics.source_several) ||
      !are_shares(statistics.target_several)) {
    throw UsageError("the statistics of the text have a value that is not between 0 and 1");
  }
  if (!below(statistics.source, source_words) || !below(statistics.target, target_words)) {
    throw UsageError("the statistics of the text have a word that the model does not have");
  }
}

}  // namespace trellis::align
