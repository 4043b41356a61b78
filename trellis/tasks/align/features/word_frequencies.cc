#include "trellis/tasks/align/features/word_frequencies.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::align {
namespace {

constexpr std::uint32_t kMostOfRare = 3, kMostOfUncommon = 30;
constexpr std::uint64_t kTokensOfFrequent = 1000;  // a word of so many, at least

FrequencyBucket bucket_of(std::uint32_t count, std::uint64_t tokens) {
  if (count == 0) return FrequencyBucket::kUnknown;
  if (count <= kMostOfRare) return FrequencyBucket::kRare;
  if (count <= kMostOfUncommon) return FrequencyBucket::kUncommon;
  return count * kTokensOfFrequent >= tokens ? FrequencyBucket::kFrequent
                                             : FrequencyBucket::kCommon;
}

}  // namespace

WordFrequencies::WordFrequencies(std::span<const std::uint32_t> counts)
    : buckets_(counts.size()), ranks_(counts.size()) {
  const std::uint64_t tokens = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::vector<std::uint32_t> falling(counts.begin(), counts.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  const double scale = portable_log(1 + static_cast<double>(counts.size()));
  for (Index word = 0; word < counts.size(); ++word) {
    buckets_[word] = bucket_of(counts[word], tokens);
    const auto place =
        std::lower_bound(falling.begin(), falling.end(), counts[word], std::greater<>());
    const auto above = static_cast<double>(place - falling.begin());
    ranks_[word] = static_cast<float>(portable_log(1 + above) / scale);
  }
}

}  // namespace trellis::align
